"""Lambda entries of the maps verbs: one function a side serves all three."""

from verbena.catalog import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.doors import queue, rest

handler = rest.verb_handler(MAPS_SEARCH, MAPS_PLACE, MAPS_REVIEWS)
worker = queue.worker_handler("maps")
