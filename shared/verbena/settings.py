"""Every setting and every number of Verbena in one table; the only reader of the environment."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from urllib.parse import urlsplit

# Doors. API Gateway ends an HTTP API request after 30 s, so the function must end before it.
API_TIMEOUT_S = 29
INLINE_BUDGET_S = 20.0
BODY_CAP_BYTES = 2 * 1024 * 1024
# A Lambda answer may hold 6 MB; base64 and headers need their share.
ANSWER_CAP_BYTES = 4 * 1024 * 1024
ROW_CAP_BYTES = 1024 * 1024
# A message of SQS holds 1 MiB, 256 KiB where an account has not been moved to it; the reply has words of its own.
REPLY_CAP_BYTES = 200 * 1024
PAGE_LIMIT = 1000

# Clients.
SERVER_URL = "http://127.0.0.1:3000"

# Jobs. The worker answers before its function ends, the function before its message shows again.
PART_ITEMS = 10
PART_BYTES = 64 * 1024
PART_BUDGET_S = 45.0
WORKER_TIMEOUT_S = 60
VISIBILITY_S = 120
MAX_RECEIVES = 3
RETRY_VISIBILITY_S = 5
BARREN_LIMIT = 3
BARREN_DELAY_S = 10
DEPTH_LIMIT = 12
JOB_DEADLINE_S = 3600
REPLAN_S = 60
DUE_SHARDS = 16

# Records.
IDEMPOTENCY_KEPT_S = 24 * 3600
KEY_CACHE_S = 30.0
PROVIDERS_CACHE_S = 30.0

# Providers: the whole call, and each attempt of it.
DISCOVER_DEADLINE_S = 12.0
ATTEMPT_S = 6.0
# Maps: open services answer slowly, and a place by its name takes them two questions.
MAPS_DEADLINE_S = 18.0
MAPS_ATTEMPT_S = 12.0
# How long an answer stays whose provider's terms forbid storage beyond passing it on.
BRIEF_S = 15 * 60

# Reading pages.
READ_TIMEOUT_S = 15.0
READ_TIMEOUT_MAX_S = 30.0
WIRE_CAP_BYTES = 10 * 1024 * 1024
DECODED_CAP_BYTES = 20 * 1024 * 1024
REDIRECT_LIMIT = 10
TRIES = 3
CONNECTIONS = 32
CONNECTIONS_PER_HOST = 4

# The name by which a robots.txt means us.
AGENT = "Verbena"
# robots.txt: rules are kept at most a day (RFC 9309), the news that there are none to be had for a moment.
ROBOTS_TIMEOUT_S = 5.0
ROBOTS_KEPT_S = 3600.0
ROBOTS_FAILED_KEPT_S = 60.0
ROBOTS_CAP_BYTES = 500 * 1024
ROBOTS_CACHE_BYTES = 8 * 1024 * 1024

# Pages in a browser. Each costs a process or four of 100 to 200 MB, and loads scripts and styles beside itself.
BROWSER_PAGES = 2
BROWSER_WIRE_CAP_BYTES = 3 * WIRE_CAP_BYTES
BROWSER_HEAP_MB = 512
# A page that is never quiet is taken as it is after this long, and in time to be handed on.
BROWSER_SETTLE_S = 5.0
BROWSER_HANDOVER_S = 1.0

# Pages kept for callers who accept an older one (max_age_s).
PAGES_KEPT_S = 7 * 24 * 3600

# Files. A page of a PDF takes 1 to 6 ms; its process starts in 0.1 s, and two of them run beside a worker of 1 GB.
PDF_PAGES = 5_000
PDF_SECONDS = 10.0
PDF_MEMORY_BYTES = 384 * 1024 * 1024


@dataclass(frozen=True)
class Settings:
    """What an operator may set; `from_environment` names each variable."""

    jobs_table: str = "verbena-jobs"
    ledger_table: str = "verbena-ledger"
    config_table: str = "verbena-config"
    results_bucket: str = "verbena-results"
    queues: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    billing: bool = True
    prices: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    inline_limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    rate_limit: str | None = None
    retention_days: int = 30
    allow_networks: tuple[str, ...] = ()
    refuse_endpoints: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ("direct",)
    proxies: tuple[str, ...] = field(default=(), repr=False)
    browser_function: str | None = None
    browser_sandbox: bool = True
    cors_origins: tuple[str, ...] = ()
    reply_queues: tuple[str, ...] = ()
    refused_messages: str = ""
    base_urls: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    master_key: str = "alias/verbena"
    osm_extract: str | None = None


TIERS = ("direct", "proxy", "browser")
QUEUE_PREFIX = "VERBENA_QUEUE_"
INLINE_PREFIX = "VERBENA_INLINE_LIMIT_"


def from_environment(environ: Mapping[str, str]) -> Settings:
    """Read all settings; a value that cannot be read names its variable in a ValueError."""
    return Settings(
        jobs_table=environ.get("VERBENA_JOBS_TABLE", Settings.jobs_table),
        ledger_table=environ.get("VERBENA_LEDGER_TABLE", Settings.ledger_table),
        config_table=environ.get("VERBENA_CONFIG_TABLE", Settings.config_table),
        results_bucket=environ.get("VERBENA_RESULTS_BUCKET", Settings.results_bucket),
        queues=_prefixed(environ, QUEUE_PREFIX),
        billing=_switch(environ, "VERBENA_BILLING", on=True),
        prices=_prices(environ.get("VERBENA_PRICES", "")),
        inline_limits={
            name: _count(INLINE_PREFIX + name.upper(), value, least=0)
            for name, value in _prefixed(environ, INLINE_PREFIX).items()
        },
        rate_limit=environ.get("VERBENA_RATE_LIMIT") or None,
        retention_days=_count("VERBENA_RETENTION_DAYS", environ.get("VERBENA_RETENTION_DAYS") or "30"),
        allow_networks=_list(environ.get("VERBENA_ALLOW_NETWORKS", "")),
        refuse_endpoints=tuple(
            value for name in ("AWS_LAMBDA_RUNTIME_API", "AWS_ENDPOINT_URL") if (value := environ.get(name))
        ),
        tiers=_tiers(environ.get("VERBENA_TIERS") or "direct"),
        proxies=_proxies(environ.get("VERBENA_PROXIES", "")),
        browser_function=environ.get("VERBENA_BROWSER_FUNCTION") or None,
        browser_sandbox=_switch(environ, "VERBENA_BROWSER_SANDBOX", on=True),
        cors_origins=_list(environ.get("VERBENA_CORS_ORIGINS", "")),
        reply_queues=_list(environ.get("VERBENA_REPLY_QUEUES", "")),
        refused_messages=environ.get("VERBENA_REFUSED_MESSAGES", Settings.refused_messages),
        base_urls=_base_urls(environ),
        master_key=environ.get("VERBENA_MASTER_KEY", Settings.master_key),
        osm_extract=environ.get("VERBENA_OSM_EXTRACT") or None,
    )


@cache
def current() -> Settings:
    """The settings of this process, read at the first call."""
    return from_environment(os.environ)


def server_url() -> str:
    """Which server the clients of this process talk to: VERBENA_URL, else where `make run` serves."""
    return os.environ.get("VERBENA_URL") or SERVER_URL


def secret(name: str) -> str | None:
    """The environment's value of a secret: what a driver names, or a caller's key."""
    return os.environ.get(name) or None


def _base_urls(environ: Mapping[str, str]) -> dict[str, str]:
    """`VERBENA_BRAVE_BASE_URL=x` becomes `{"brave": "x"}`: where a driver finds its vendor instead."""
    return {
        match[1].lower(): value
        for name, value in environ.items()
        if value and (match := re.fullmatch(r"VERBENA_(\w+)_BASE_URL", name))
    }


def _prefixed(environ: Mapping[str, str], prefix: str) -> dict[str, str]:
    """`VERBENA_QUEUE_WEB_SCRAPE=x` becomes `{"web_scrape": "x"}`; an empty value is not set."""
    return {name[len(prefix) :].lower(): value for name, value in environ.items() if name.startswith(prefix) and value}


def _list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _tiers(value: str) -> tuple[str, ...]:
    """In the order they are tried; a browser is never the first, for it costs a hundred times as much."""
    chosen = _list(value)
    if not set(chosen) <= set(TIERS) or len(set(chosen)) < len(chosen) or chosen[:1] in {(), ("browser",)}:
        message = f"VERBENA_TIERS must be a list such as {','.join(TIERS)!r} that starts with direct or proxy"
        raise ValueError(message)
    return chosen


def _proxies(value: str) -> tuple[str, ...]:
    """URLs that may carry a password, and so are never in a message."""
    chosen = _list(value)
    for number, url in enumerate(chosen, 1):
        try:
            parts = urlsplit(url)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable:
            message = f"VERBENA_PROXIES: number {number} of {len(chosen)} is no http or https URL of a proxy"
            raise ValueError(message)
    return chosen


def _switch(environ: Mapping[str, str], name: str, *, on: bool) -> bool:
    value = environ.get(name, "").lower()
    if value not in {"", "on", "off"}:
        message = f"{name} must be 'on' or 'off', not {value!r}"
        raise ValueError(message)
    return on if not value else value == "on"


def _count(name: str, value: str, *, least: int = 1) -> int:
    if not value.isascii() or not value.isdigit() or int(value) < least:
        message = f"{name} must be a whole number of at least {least}, not {value!r}"
        raise ValueError(message)
    return int(value)


def _prices(value: str) -> dict[str, int]:
    """VERBENA_PRICES is a JSON object of unit name to micro-USD; units it leaves out keep their default."""
    if not value:
        return {}
    prices = json.loads(value)
    if not isinstance(prices, dict) or not all(isinstance(p, int) and p >= 0 for p in prices.values()):
        message = "VERBENA_PRICES must be a JSON object of unit names to whole micro-USD"
        raise ValueError(message)
    return prices
