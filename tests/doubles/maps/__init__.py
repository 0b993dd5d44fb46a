"""Three sources of places as loopback doubles, made from their contracts alone, over one made-up town.

with running("google_places") as double: ...
"""

from tests.doubles.maps import google_places, osm, serpapi
from tests.doubles.server import serve

SOURCES = {module.VENDOR.name: module.VENDOR for module in (google_places, serpapi, osm)}

__all__ = ["SOURCES", "running"]


def running(name):
    """`with running(name) as double`."""
    return serve(SOURCES[name])
