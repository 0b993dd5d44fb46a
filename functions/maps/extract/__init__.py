"""An index of the named places of an OpenStreetMap extract: one file, read where it lies."""
