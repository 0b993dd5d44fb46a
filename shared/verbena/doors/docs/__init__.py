"""The API reference as one page: made from the catalog, without scripts, with nothing to fetch."""
