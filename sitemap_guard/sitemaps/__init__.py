"""What the site claims: its sitemaps, found and read. `discovery` is the way in."""
