#!/usr/bin/env bash
# make-site.sh KIND FOLDER: a small repository with a hand-made site in public/, whose sitemap is honest or lying.
# The self-test workflow makes its sites with this, on each kind of runner; so do the tests.
set -eu
kind=$1
mkdir -p "$2/public"
cd "$2"

git init -q -b main .
git config user.name "A Writer"
git config user.email writer@example.org
git config commit.gpgsign false
git config core.autocrlf false

commit() { # commit DAY MESSAGE
  git add -A
  GIT_AUTHOR_DATE="$1T09:00:00+0000" GIT_COMMITTER_DATE="$1T09:00:00+0000" git commit -q -m "$2"
}

page() { # page FILE ADDRESS TEXT
  printf '<!doctype html>\n<html lang="en">\n<head>\n<title>%s</title>\n' "$3" >"public/$1"
  printf '<link rel="canonical" href="https://docs.garden.example/%s">\n' "$2" >>"public/$1"
  printf '</head>\n<body><h1>%s</h1></body>\n</html>\n' "$3" >>"public/$1"
}

sitemap() { # sitemap HOME ABOUT NEWS
  {
    printf '<?xml version="1.0" encoding="UTF-8"?>\n'
    printf '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    printf '<url><loc>https://docs.garden.example/</loc><lastmod>%s</lastmod></url>\n' "$1"
    printf '<url><loc>https://docs.garden.example/about.html</loc><lastmod>%s</lastmod></url>\n' "$2"
    printf '<url><loc>https://docs.garden.example/news.html</loc><lastmod>%s</lastmod></url>\n' "$3"
    printf '</urlset>\n'
  } >public/sitemap.xml
}

page index.html "" "Home"
printf 'User-agent: *\nAllow: /\nSitemap: https://docs.garden.example/sitemap.xml\n' >public/robots.txt
commit 2024-03-01 "The home page"
page about.html about.html "About"
commit 2024-04-11 "Who we are"
page news.html news.html "News"
commit 2024-05-21 "News"

case $kind in
  honest) sitemap 2024-03-01 2024-04-11 2024-05-21 ;;
  lying) sitemap 2024-03-01 2024-04-11 2024-08-31 ;;
  *) echo "make-site.sh: honest or lying, not '$kind'" >&2 && exit 2 ;;
esac
commit 2024-06-01 "The sitemap"
