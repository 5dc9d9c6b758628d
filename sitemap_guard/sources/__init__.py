"""URL to source: which files of the repository a page is made from."""
