"""Loopback server that plays the field cases (JSONL) as raw bytes, so malformed replies are possible. Stdlib only.

  python fieldserver.py [--port N] [--cases FILE ...]     serve until interrupted; prints one JSON line with the addresses
  async with FieldServer(["cases-open.jsonl"]) as fs: fs.url("hdr-junk-line"); fs.hits; fs.canary_hits     (in tests)

Every case is at http://127.0.0.1:PORT/c/ID; a case with own_origin has a port of its own (robots.txt sits at its root).
GET /__index lists {id: url}; GET /__log lists the requests seen; GET /__reset clears the log and the per-case counters.
A canary listens on 127.0.0.2 and only counts: tests treat 127.0.0.2 as a private address that must never be reached.
Wire items: {text|utf8|b64}, {sleep}, {repeat, times, every}, {gen: gzip_zeros|bytes, bytes}, {end: fin|rst|hold}.
Placeholders in text: {{base}} {{origin}} {{hostport}} {{canary}} {{http_date+N}}.
"""
import argparse, asyncio, base64, functools, json, os, pathlib, re, sys, time, zlib
from email.utils import formatdate
HERE = os.path.dirname(os.path.abspath(__file__))

@functools.lru_cache(maxsize=4)
def gzip_zeros(n):
    z = zlib.compressobj(9, zlib.DEFLATED, 31); blk = bytes(1 << 20); out = bytearray()
    while n > 0: out += z.compress(blk[: min(n, len(blk))]); n -= len(blk)
    return bytes(out + z.flush())

class FieldServer:
    def __init__(self, files=None, port=0, hold_s=120):
        files = files or [p for p in (f"{HERE}/cases-open.jsonl", f"{HERE}/cases-heldout.jsonl") if os.path.exists(p)]
        self.cases = {c["id"]: c for f in files for c in map(json.loads, pathlib.Path(f).read_text(encoding="utf-8").splitlines())}
        self.port, self.hold_s, self.servers, self.own = port, hold_s, [], {}
        self.hits, self.canary_hits, self.nth = [], [], {}
    # ---- addresses
    def origin(self, id): return f"http://127.0.0.1:{self.own.get(id, self.port)}"
    def url(self, id, path=None):
        c = self.cases[id]; call = c.get("call", {})
        p = path if path is not None else call.get("path", (call.get("paths") or [""])[0])
        return self.origin(id) + ("" if id in self.own else f"/c/{id}") + p
    def index(self): return {i: self.url(i) for i, c in self.cases.items() if "http" in c}
    # ---- life
    async def __aenter__(self):
        self.servers.append(s := await asyncio.start_server(lambda r, w: self.conn(r, w, None), "127.0.0.1", self.port))
        self.port = s.sockets[0].getsockname()[1]
        for i, c in self.cases.items():
            if c.get("http", {}).get("own_origin"):
                self.servers.append(s := await asyncio.start_server(lambda r, w, i=i: self.conn(r, w, i), "127.0.0.1", 0))
                self.own[i] = s.sockets[0].getsockname()[1]
        self.servers.append(s := await asyncio.start_server(self.canary, "127.0.0.2", 0)); self.canary_port = s.sockets[0].getsockname()[1]
        return self
    async def __aexit__(self, *a):
        for s in self.servers: s.close()
    async def canary(self, r, w):
        try: head = await asyncio.wait_for(r.readuntil(b"\r\n\r\n"), 5)
        except Exception: head = b""
        self.canary_hits.append({"t": time.time(), "head": head.decode("latin-1")})
        w.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\nConnection: close\r\n\r\n<p>CANARY-REACHED-5512</p>"); w.close()
    # ---- requests
    async def conn(self, r, w, own):
        try:
            while True:
                head = (await r.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = head.split("\r\n"); method, target, *_ = (lines[0] + "  ").split(" ")
                hdr = {k.strip().lower(): v.strip() for k, _, v in (l.partition(":") for l in lines[1:] if l)}
                path = target.split("?")[0]
                if own is None and path.startswith("/__"):
                    if path == "/__reset": self.hits.clear(); self.canary_hits.clear(); self.nth.clear()
                    b = json.dumps({"/__index": self.index(), "/__log": {"hits": self.hits, "canary": self.canary_hits}}.get(path, {})).encode()
                    w.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(b) + b); await w.drain(); continue
                m = None if own else re.match(r"/c/([a-z0-9-]+)(.*)$", path)
                id, rest = (own, path) if own else (m[1], m[2]) if m else (None, path)
                case = self.cases.get(id)
                self.hits.append({"t": time.time(), "id": id, "method": method, "path": rest, "headers": hdr})
                route = self.pick(case, rest, hdr) if case and "http" in case else None
                if route is None:
                    w.write(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nno route\n"); await w.drain(); continue
                if not await self.play(route["wire"], w, r, id, method == "HEAD"): return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError, asyncio.CancelledError): pass
        finally:
            try: w.close()
            except Exception: pass
    def pick(self, case, rest, hdr):
        rest = rest.rstrip() or ""
        for exact in (True, False):
            for rt in case["http"]["routes"]:
                p = rt["path"]
                if (p == rest) if exact else (p == "*"):
                    when = rt.get("when") or {}
                    if "header_has" in when and when["header_has"][1] not in hdr.get(when["header_has"][0], ""): continue
                    if "nth" in when:
                        k = (case["id"], id(rt)); self.nth[k] = self.nth.get(k, 0) + 1
                        if self.nth[k] != when["nth"]: continue
                    return rt
    def fill(self, t, id):
        base = self.origin(id) + ("" if id in self.own else f"/c/{id}")
        t = t.replace("{{base}}", base).replace("{{origin}}", self.origin(id)).replace("{{hostport}}", self.origin(id)[7:]).replace("{{canary}}", f"http://127.0.0.2:{self.canary_port}")
        return re.sub(r"\{\{http_date\+(\d+)\}\}", lambda m: formatdate(time.time() + int(m[1]) + 0.999, usegmt=True), t)
    def data(self, it, id):
        if "text" in it: return self.fill(it["text"], id).encode("latin-1")
        if "utf8" in it: return it["utf8"].encode()
        if "b64" in it: return base64.b64decode(it["b64"])
        if it.get("gen") == "gzip_zeros": return gzip_zeros(it["bytes"])
        if it.get("gen") == "bytes": return (b"\xff\xfb\x90\x64" + bytes(range(1, 253))) * (it["bytes"] // 256)
        return b""
    async def play(self, wire, w, r, id, head_only):
        """Send one reply; True when the connection may be used again (the reply was framed and complete)."""
        first, body, end = b"", 0, None
        for n, it in enumerate(wire):
            if "end" in it: end = it["end"]; break
            if "sleep" in it: await asyncio.sleep(it["sleep"]); continue
            if "repeat" in it:
                d, k = self.data(it["repeat"], id), it.get("times", 1)
                while k != 0:
                    w.write(d); await w.drain(); body += len(d); k -= 1
                    if it.get("every"): await asyncio.sleep(it["every"])
                continue
            d = self.data(it, id)
            if n == 0: first = d
            body += len(d)
            w.write(d); await w.drain()
            if head_only: break
        if end == "hold":
            try: await asyncio.wait_for(r.read(), self.hold_s)
            except asyncio.TimeoutError: pass
            return False
        if end == "rst": w.transport.abort(); return False
        if end == "fin": return False
        head, _, rest = first.partition(b"\r\n\r\n"); low = head.lower(); sent = body - len(head) - 4
        if b"connection: close" in low: return False
        if low.startswith((b"http/1.1 204", b"http/1.1 304")): return True
        m = re.search(rb"content-length: *(\d+)", low)
        return bool(m and int(m[1]) == sent)

async def main():
    a = argparse.ArgumentParser(); a.add_argument("--port", type=int, default=0); a.add_argument("--cases", nargs="*"); a = a.parse_args()
    async with FieldServer(a.cases, a.port) as fs:
        print(json.dumps({"origin": f"http://127.0.0.1:{fs.port}", "canary": f"http://127.0.0.2:{fs.canary_port}", "own_origins": fs.own, "cases": len(fs.index())}), flush=True)
        await asyncio.Event().wait()
if __name__ == "__main__":
    try: asyncio.run(main())
    except KeyboardInterrupt: pass
