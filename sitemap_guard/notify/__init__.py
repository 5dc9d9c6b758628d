"""Telling search engines what changed, by the IndexNow protocol. The only room that sends anything anywhere."""
