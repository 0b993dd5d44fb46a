"""The ten vendors of search as loopback doubles, made from their contracts alone.

async with start("brave") as double:    # or `with running("brave") as double:`
    double.will("rate_limited", "success")
    ...
assert not double.refusals
"""

from tests.doubles import baidu, brave, duckduckgo, exa, google_cse, linkup, perplexity, searxng, serper, tavily
from tests.doubles.contract import Problem, Request, Script
from tests.doubles.server import Double, serve, serve_async

__all__ = ["VENDORS", "Double", "Problem", "Request", "Script", "running", "start"]

VENDORS = {
    module.VENDOR.name: module.VENDOR
    for module in (brave, tavily, perplexity, google_cse, exa, serper, searxng, linkup, baidu, duckduckgo)
}


def start(name):
    """`async with start(name) as double`."""
    return serve_async(VENDORS[name])


def running(name):
    """`with running(name) as double`."""
    return serve(VENDORS[name])
