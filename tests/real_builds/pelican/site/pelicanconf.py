AUTHOR = "A Writer"
SITENAME = "A blog"
SITEURL = "https://pelican.example.org"
PATH = "content"
TIMEZONE = "Europe/Oslo"
DEFAULT_LANG = "en"
DEFAULT_PAGINATION = 3
STATIC_PATHS = ["images", "extra"]
EXTRA_PATH_METADATA = {"extra/robots.txt": {"path": "robots.txt"}}
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None
PLUGIN_PATHS = ["plugins"]
PLUGINS = ["sources"]
