"""web.scrape: read web pages and return clean content, one row per URL."""
