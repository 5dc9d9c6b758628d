"""How hosts answer for the forms of an address: one table.

Each host is asked for ten forms, with the site that has `file.html`, `folder/index.html`, and both `both.html` and
`both/index.html`. An answer is `ok`, `404`, or the form that it redirects to: `-` (no slash, no file name) or `/`
(with a slash). A file that the address names in full, without `.html`, is served by all of them.

Sources, by profile:
- github-pages, netlify, cloudflare-pages, vercel, azure: measured on each host by the "Trailing Slash Guide"
  (github.com/slorber/trailing-slash-guide, README.md).
- netlify: the redirects are those of "Pretty URLs", which is on by default and can be switched off in a form that
  no file shows, so they are not sure (docs.netlify.com, "Post processing").
- cloudflare-pages: developers.cloudflare.com/pages/configuration/serving-pages/ ("Route matching").
- vercel: vercel.com/docs/project-configuration, "cleanUrls" and "trailingSlash".
- gitlab-pages: docs.gitlab.com/user/project/pages/introduction/ ("Resolving ambiguous URLs"), and what it does in
  fact for a folder without its slash (gitlab-org/gitlab-pages issue 418: 302).
- s3: docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html (website endpoints: 302).
- nginx: nginx.org, ngx_http_static_module and ngx_http_index_module (a folder without its slash: 301).
- apache: httpd.apache.org, mod_dir, "DirectorySlash" (301). plain: what both do.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

_FORMS = (
    "file", "file/", "file.html", "folder", "folder/", "folder/index.html",
    "both", "both/", "both.html", "both/index.html",
)  # fmt: skip


class Profile(Struct, frozen=True):
    """A host's ways. `answers` by form; `status` of its own redirects; `sure`: no hidden setting changes them."""

    answers: dict[str, str]
    status: int = 301
    sure: bool = True


def _profile(row: str, status: int = 301, sure: bool = True) -> Profile:
    return Profile(dict(zip(_FORMS, row.split(), strict=True)), status, sure)


#                                     file  file/  .html  folder folder/ index both  both/  .html  index
PROFILES = {
    "github-pages": _profile("        ok    404    ok     /      ok      ok    ok    ok     ok     ok"),
    "netlify": _profile("             ok    -      ok     /      ok      ok    ok    -      ok     ok", sure=False),
    "netlify-plain": _profile("       ok    ok     ok     ok     ok      ok    ok    ok     ok     ok"),
    "cloudflare-pages": _profile("    ok    -      -      /      ok      /     ok    ok     -      /", 308),
    "vercel": _profile("              404   404    ok     ok     ok      ok    ok    ok     ok     ok", 308),
    "vercel-slashless": _profile("    404   404    ok     ok     -       ok    ok    -      ok     ok", 308),
    "vercel-slash": _profile("        404   404    ok     /      ok      ok    /     ok     ok     ok", 308),
    "vercel-clean": _profile("        ok    ok     -      ok     ok      -     ok    ok     -      -", 308, False),
    "vercel-clean-slashless": _profile("ok  -      -      ok     -       -     ok    -      -      -", 308),
    "vercel-clean-slash": _profile("  /     ok     /      /      ok      /     /     ok     /      /", 308),
    "gitlab-pages": _profile("        ok    404    ok     /      ok      ok    /     ok     ok     ok", 302),
    "azure": _profile("               ok    404    ok     ok     ok      ok    ok    ok     ok     ok", 301, False),
    "azure-always": _profile("        /     ok     /      /      ok      /     /     ok     /      /", 301, False),
    "azure-never": _profile("         ok    -      -      ok     -       -     ok    -      -      -", 301, False),
    "s3": _profile("                  404   404    ok     /      ok      ok    /     ok     ok     ok", 302),
    "nginx": _profile("               404   404    ok     /      ok      ok    /     ok     ok     ok"),
    "apache": _profile("              404   404    ok     /      ok      ok    /     ok     ok     ok"),
    "plain": _profile("               404   404    ok     /      ok      ok    /     ok     ok     ok"),
}  # fmt: skip

# What a user may name in the configuration; the others are settings of these.
NAMES = (
    "github-pages", "netlify", "cloudflare-pages", "vercel", "gitlab-pages", "azure", "s3", "nginx", "apache", "plain",
)  # fmt: skip


def serve(name: str, path: str, is_file: Callable[[str], bool]) -> tuple[int, str, str]:
    """How a profile answers for a decoded path below the site's folder, without a leading slash.

    Returns the status, the path that it redirects to ("" for none), and the file it serves ("" for none).
    """
    profile = PROFILES[name]
    if path and not path.endswith("/") and is_file(path) and not path.endswith(".html"):
        return 200, "", path
    form, bare, file = _form(path, is_file)
    if not form:
        return 404, "", ""
    answer = profile.answers[form]
    if not bare and answer in ("-", "/"):  # the home page has one form
        return (200, "", file) if path != "index.html" or answer == "ok" else (profile.status, "/", "")
    if answer == "-":
        return profile.status, bare, ""
    if answer == "/":
        return profile.status, f"{bare}/", ""
    return (404, "", "") if answer == "404" else (200, "", file)


def _form(path: str, is_file: Callable[[str], bool]) -> tuple[str, str, str]:
    """Which of the forms the path is here, its bare form, and the file behind it; "" when nothing is there."""
    if path.endswith("/") or not path:
        bare, shape = path.rstrip("/"), "/"
        if path != (f"{bare}/" if bare else ""):  # a doubled slash names no file
            return "", "", ""
    elif path == "index.html" or path.endswith("/index.html"):
        bare, shape = path[: -len("index.html")].rstrip("/"), "/index.html"
    elif path.endswith(".html"):
        bare, shape = path.removesuffix(".html"), ".html"
    else:
        bare, shape = path, ""
    file, index = f"{bare}.html", f"{bare}/index.html" if bare else "index.html"
    has_file, has_index = bool(bare) and is_file(file), is_file(index)
    kind = "both" if has_file and has_index else "file" if has_file else "folder" if has_index else ""
    if not kind or (shape == ".html" and not has_file) or (shape == "/index.html" and not has_index):
        return "", "", ""
    indexed = shape == "/index.html" or (shape == "/" and has_index) or (shape == "" and not has_file)
    return kind + shape, bare, index if indexed else file
