"""What was built: the file behind an address, the facts its HTML states, and robots.txt."""
