"""The repository: when its files changed, and what it can tell about them."""
