"""The API of Firecrawl v2, as far as pages and searches go: translation, and nothing behind it."""
