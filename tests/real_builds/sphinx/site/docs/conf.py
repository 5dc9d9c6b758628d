import json
from pathlib import Path

project = "Docs"
extensions = ["myst_parser"]
exclude_patterns = ["_build", "left/**"]
html_baseurl = "https://sphinx.example.org/en/latest/"
html_theme = "alabaster"


def write_sources(app, error):
    """The manifest: each page and its file, as the documentation shows it."""
    pages = [
        {"url": html_baseurl + app.builder.get_target_uri(name), "path": str(app.env.doc2path(name, base=False))}
        for name in sorted(app.env.found_docs)
    ]
    Path(app.srcdir, "sources.json").write_text(json.dumps(pages), "utf-8")


def setup(app):
    app.connect("build-finished", write_sources)
