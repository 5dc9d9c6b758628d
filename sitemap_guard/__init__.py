"""sitemap-guard: tests whether a site's sitemap tells the truth."""

__version__ = "0.1.0"
