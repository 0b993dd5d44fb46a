"""maps.search, maps.place and maps.reviews: typed places and reviews from the operator's sources."""
