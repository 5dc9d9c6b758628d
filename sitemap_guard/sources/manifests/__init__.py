"""Manifests: what a generator, or a few lines in it, tells of its pages and their files."""
