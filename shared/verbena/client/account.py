"""What a server says beside verbs, as typed conversations: jobs, money, the catalog."""

from datetime import date
from urllib.parse import parse_qs, urlsplit

from verbena.client.peer import Peer
from verbena.client.typed import modelled
from verbena.client.wire import Json, Talk
from verbena.views import JobList, JobSummary, UsageReport, VerbList, WalletView

MOST_AT_ONCE = 100
"""How many jobs the server lists on a page at most."""


def wallet(peer: Peer) -> Talk[WalletView]:
    return modelled(WalletView, (yield from peer.read("/v1/wallet")))


def usage(peer: Peer, first: date | None, last: date | None) -> Talk[UsageReport]:
    days = {"from": first, "to": last}
    query: Json = {name: day.isoformat() for name, day in days.items() if day is not None}
    return modelled(UsageReport, (yield from peer.read("/v1/usage", query)))


def verbs(peer: Peer) -> Talk[VerbList]:
    return modelled(VerbList, (yield from peer.read("/v1/verbs")))


def jobs(peer: Peer, limit: int, before: str | None) -> Talk[list[JobSummary]]:
    """The newest jobs, from as many pages as it takes."""
    found: list[JobSummary] = []
    query: Json = {"before": before} if before else {}
    while len(found) < limit:
        asked = {**query, "limit": min(limit - len(found), MOST_AT_ONCE)}
        page = modelled(JobList, (yield from peer.read("/v1/jobs", asked)))
        found += page.jobs
        if page.next is None:
            break
        query = {"before": parse_qs(urlsplit(page.next).query)["before"][0]}
    return found
