BLOG_AUTHOR = "A Writer"
BLOG_TITLE = "A blog"
SITE_URL = "https://nikola.example.org/"
BLOG_EMAIL = "writer@example.org"
BLOG_DESCRIPTION = "A small site"
DEFAULT_LANG = "en"
TRANSLATIONS = {DEFAULT_LANG: "", "fr": "./fr"}
TRANSLATIONS_PATTERN = "{path}.{lang}.{ext}"
TIMEZONE = "Europe/Oslo"
POSTS = (
    ("posts/*.rst", "posts", "post.tmpl"),
    ("posts/*.md", "posts", "post.tmpl"),
)
PAGES = (
    ("pages/*.rst", "", "page.tmpl"),
    ("pages/*.md", "", "page.tmpl"),
    ("stories/*.md", {"en": "stories", "fr": "histoires"}, "page.tmpl"),
)
COMPILERS = {"rest": (".rst",), "markdown": (".md",), "html": (".html",)}
FILE_METADATA_REGEXP = r"(?P<date>\d{4}-\d{2}-\d{2})-(?P<slug>.*)-(?P<title>.*)\.rst"
GENERATE_RSS = False
ENABLE_AUTHOR_PAGES = True
