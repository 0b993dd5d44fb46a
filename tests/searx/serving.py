"""A real search server nobody here wrote, Debian's searx, with two engines of this machine and no way out of it."""

import json
import os
import re
import sqlite3
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from local.stack import ROOT

HOME = ROOT / ".venv-searx"
SEARX = HOME / "searx/usr"
PYTHON = HOME / "bin/python"

PAGES = [
    ("Otters of the river", "https://rivers.example.org/otters", "River otters hunt at night."),
    ("Otters & their <b>kin</b>", "https://zoo.example.com/kin?page=2", "The otter family has 13 species."),
    ("Holts", "https://rivers.example.org/holts", "Where an otter sleeps."),
]


def missing():
    """Why there is no searx here, if there is none."""
    return "" if SEARX.exists() else "no searx: make extras"


class Upstream(BaseHTTPRequestHandler):
    """The engine `press`: five hits a page of whatever is asked; a path that is a number is the status."""

    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        hits = [hit(query["q"][0], 5 * int(query["page"][0]) + number) for number in range(5)]
        body = json.dumps({"found": hits if query["q"] != ["nothing"] else []}).encode()
        self.send_response(int(url.path.strip("/") or 200))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """A test's output is its own."""


def hit(query, number):
    return {
        "address": f"https://press.example.net/{query.replace(' ', '-')}/{number}",
        "headline": f"<b>{query}</b> &amp; more, {number}",
        "lead": f"An <em>early</em> report on {query}.",
    }


def settings(folder, upstream):
    """All searx needs to be told, and no engine but ours."""
    nowhere = dict.fromkeys(
        ("docs_url", "git_branch", "git_url", "issue_url", "new_issue_url", "public_instances", "wiki_url"), ""
    )
    share = SEARX / "share/python3-searx"
    return {
        "general": {"debug": False, "instance_name": "test"},
        "brand": nowhere,
        "search": {"safe_search": 0, "autocomplete": "", "default_lang": "en", "formats": ["html", "json"]}
        | {"ban_time_on_fail": 0, "max_ban_time_on_fail": 0},
        "server": {"port": 0, "bind_address": "127.0.0.1", "secret_key": "of-a-test", "base_url": False}
        | {"image_proxy": False, "http_protocol_version": "1.0", "method": "GET", "default_http_headers": {}},
        "ui": {"static_path": str(share / "static"), "templates_path": str(share / "templates")}
        | {"default_theme": "oscar", "default_locale": "", "theme_args": {"oscar_style": "logicodev"}},
        "outgoing": {"request_timeout": 3.0, "max_request_timeout": 3.0, "useragent_suffix": ""}
        | {"pool_connections": 10, "pool_maxsize": 10},
        "checker": {"off_when_debug": True},
        "locales": {"en": "English"},
        "doi_resolvers": {"none": "http://127.0.0.1/"},
        "default_doi_resolver": "none",
        "engines": [
            library(folder),
            press("press", upstream),
            press("broken", f"{upstream}/500", disabled=True),
            press("crowded", f"{upstream}/429", disabled=True),
        ],
    }


def library(folder):
    with sqlite3.connect(folder / "pages.db") as pages:
        pages.execute("create table page (title, url, content)")
        pages.executemany("insert into page values (?, ?, ?)", PAGES)
    pages.close()
    return {
        "name": "library",
        "engine": "sqlite",
        "shortcut": "lib",
        "categories": "general",
        "database": str(folder / "pages.db"),
        "result_template": "default.html",
        "query_str": "select title, url, content from page where title || content like '%' || :query || '%'",
    }


def press(name, upstream, *, disabled=False):
    return {
        "name": name,
        "engine": "json_engine",
        "shortcut": name,
        "categories": "general",
        "disabled": disabled,
        "enable_http": True,
        "paging": True,
        "search_url": f"{upstream}?q={{query}}&page={{pageno}}",
        "results_query": "found",
        "url_query": "address",
        "title_query": "headline",
        "content_query": "lead",
        "timeout": 3.0,
    }


@contextmanager
def upstream():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def running(folder):
    """The server's base URL; `folder` takes its files.

    `!press otter` asks one engine, `!broken otter` one that always fails, and `nothing` is found by none.
    """
    with upstream() as address, (folder / "searx.log").open("w+") as log:
        told = folder / "settings.yml"
        told.write_text(json.dumps(settings(folder, address)))
        environment = {
            **os.environ,
            "SEARX_SETTINGS_PATH": str(told),
            "PYTHONPATH": str(SEARX / "lib/python3/dist-packages"),
        }
        command = [PYTHON, "-m", "searx.webapp"]
        with subprocess.Popen(
            command, env=environment, cwd=folder, stderr=subprocess.PIPE, stdout=log, text=True
        ) as process:
            try:
                base_url = greeting(process.stderr)
                # What it says from now on is read, so that it never waits for us.
                listener = threading.Thread(target=process.stderr.read)
                listener.start()
                yield base_url
            finally:
                process.kill()
            listener.join()


def greeting(stderr):
    """The address it says it listens on."""
    said = ""
    while not (found := re.search(r"Running on (http://127\.0\.0\.1:\d+)", said)):
        line = stderr.readline()
        assert line, said
        said += line
    return found[1]
