"""One command a file. Each imports only click at its top, so that `--version` and `--help` answer at once."""
