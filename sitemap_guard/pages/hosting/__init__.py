"""What the host will answer, told from its documented rules and from the files that it reads."""
