"""The Lambda entry of the doors that speak as other services do."""

from verbena.doors import rest, tavily
from verbena.doors.firecrawl import routes

handler = rest.doors_handler(routes.DOOR, tavily.DOOR)
