"""A package, so that its conftest and that of the folder above are two modules."""
