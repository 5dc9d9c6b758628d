"""`python -m sitemap_guard`."""

from sitemap_guard.cli import entry

if __name__ == "__main__":
    entry()
