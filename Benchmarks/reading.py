"""Jobs that read over the socket: j3, and what a page costs among many items."""

import os
import re
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import rivals
from fetching import HEAD, records_feed
from harness import (
    ROUNDS, TOOLS, Daemon, Meanwhile, Upstream, check, floor, load, median, row, settled, spawn,
)

CLIENTS = [1, 16, 127, 128, 256]
HOT_PAGES = 50


class FloorServer:
    """The bare server over the database that the floor has written."""

    def __init__(self, folder, database):
        self.socket = os.path.join(folder, "q")
        self.process = spawn([os.path.join(TOOLS, "floor_query"), self.socket, database])

    def close(self):
        self.process.kill()
        self.process.wait()


class Reader:
    """A connection that stays; each question's answer and how long it took."""

    def __init__(self, path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)

    def get(self, target):
        started = time.perf_counter()
        self.connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.connection.recv(1 << 18)
        head, _, body = answer.partition(b"\r\n\r\n")
        check(head.startswith(b"HTTP/1.1 200 "), (target, head))
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        pieces, held = [body], len(body)
        while held < length:
            pieces.append(self.connection.recv(1 << 18))
            held += len(pieces[-1])
        return head, b"".join(pieces), time.perf_counter() - started

    def close(self):
        self.connection.close()


def text_of(body, name):
    found = re.search(rb'"%s":"([^"]*)"' % name.encode(), body)
    return found.group(1).decode() if found else None


def pages(daemon, feed, count, limit=50, apart=1):
    """The targets of `count` pages, of which each begins `apart` items behind the one before."""
    reader, targets, cursor = Reader(daemon.socket), [], ""
    for _ in range(count):
        targets.append(f"/v1/feeds/{feed}/items?limit={limit}{cursor}")
        _, body, _ = reader.get(f"/v1/feeds/{feed}/items?limit={apart}{cursor}")
        cursor = "&cursor=" + (text_of(body, "cursor") or raise_end())
    reader.close()
    return targets


def raise_end():
    raise SystemExit("the list has ended too early")


def targets_file(folder, name, targets):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write("\n".join(targets) + "\n")
    return "@" + path


def bodies(path, targets):
    reader = Reader(path)
    said = [reader.get(target)[1] for target in targets]
    reader.close()
    return said


def raced(job, what, clients, runs, rounds, seconds):
    """One row: `runs` names a way of asking for each program; "refreshd" and "floor" take turns with the others."""
    figures = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (target, path, keys, mode) in runs.items():
            figures[name].append(load(target, clients, path, seconds, keys, mode))
    rates = {name: [run["rps"] for run in runs] for name, runs in figures.items()}
    tails = {name: median([run["p99_us"] for run in runs]) for name, runs in figures.items()}
    more = {"p99_us": tails["refreshd"], "floor_p99_us": tails["floor"]}
    for name in runs:
        if name not in ("refreshd", "floor"):
            more |= {name: median(rates[name]), f"{name}_p99_us": tails[name], f"to_{name}": round(
                statistics.median(mine / other for mine, other in zip(rates["refreshd"], rates[name])), 3)}
    return row(job, what, rates["refreshd"], rates["floor"], "requests/s", **more)


def j3(rounds=ROUNDS, seconds=0.4):
    """Reads over the socket: one of 1,000 items by its key, a page of 50, and the daemon's status."""
    rows, open_things = [], []
    upstream = Upstream()
    folder = tempfile.mkdtemp(prefix="rfb")
    try:
        database = os.path.join(folder, "floor.db")
        floor("j2", database, upstream.url)
        bare = FloorServer(folder, database)
        open_things.append(bare)
        daemon = Daemon(HEAD + (
            f"feeds:\n  records: {{adapter: json, url: '{upstream.url}/list/1000', every: 1h, "
            "records: {path: data}, key: id}\n"), folder)
        settled(daemon, upstream, 1, 1000)
        item_targets = [f"/v1/feeds/records/items/{number}" for number in range(1, 1001)]
        hot = pages(daemon, "records", HOT_PAGES)
        wide = pages(daemon, "records", 900)
        items, shown = bodies(daemon.socket, item_targets), bodies(daemon.socket, hot)
        status = bodies(daemon.socket, ["/v1/status"])[0]
        records = bodies(bare.socket, [f"/items/{number}" for number in range(1, 1001)])
        others = rivals.all_of(
            ["nginx", "redis"], folder,
            nginx={"files": {"status": status} | {f"items/{n}": body for n, body in enumerate(items, 1)}
                   | {f"page/{n}": body for n, body in enumerate(shown, 1)}},
            redis={"items": records, "pages": [records[n:n + 50] for n in range(HOT_PAGES)]})
        open_things += others.values()

        def of(names, **paths):
            return {name: (others[name].socket, *paths[name]) for name in names if name in others}

        for clients in CLIENTS:
            runs = {"floor": (bare.socket, "/items/%d", 1000, "http"),
                    "refreshd": (daemon.socket, "/v1/feeds/records/items/%d", 1000, "http")}
            if clients in (16, 256):
                runs |= of(["nginx", "redis"], nginx=("/items/%d", 1000, "http"), redis=("GET item:%d", 1000, "resp"))
            rows.append(raced("j3 item", f"{clients} clients", clients, runs, rounds, seconds))
        for clients in [1, 16, 256]:
            runs = {"floor": (bare.socket, "/page/%d", HOT_PAGES, "http"),
                    "refreshd": (daemon.socket, targets_file(folder, "hot", hot), 0, "http")}
            runs |= of(["nginx", "redis"], nginx=("/page/%d", HOT_PAGES, "http"),
                       redis=("LRANGE page:%d 0 49", HOT_PAGES, "resp"))
            rows.append(raced("j3 page", f"{clients} clients, {HOT_PAGES} pages", clients, runs, rounds, seconds))
        runs = {"floor": (bare.socket, "/page/%d", len(wide), "http"),
                "refreshd": (daemon.socket, targets_file(folder, "wide", wide), 0, "http")}
        rows.append(raced("j3 page", f"16 clients, {len(wide)} pages", 16, runs, rounds, seconds))
        for clients in CLIENTS:
            runs = {"floor": (bare.socket, "/status", 1, "http"),
                    "refreshd": (daemon.socket, "/v1/status", 1, "http")}
            if clients in (16, 256):
                runs |= of(["nginx", "redis"], nginx=("/status", 1, "http"), redis=("PING", 1, "resp"))
            rows.append(raced("j3 status", f"{clients} clients", clients, runs, rounds, seconds))
        daemon.close()
    finally:
        for thing in open_things:
            thing.close()
        upstream.close()
        shutil.rmtree(folder)
    return rows + j3_stale(rounds) + j3_beside(min(rounds, 3))


def j3_stale(rounds=ROUNDS, seconds=0.4):
    """Items that have expired while the upstream takes ten seconds to answer: a read must not wait for it."""
    upstream = Upstream()
    fresh, stale, tails = [], [], []
    try:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                upstream.ask("/ctl/slow?0")
                upstream.ask("/ctl/reset")
                daemon = Daemon(HEAD + (
                    f"feeds:\n  records: {{adapter: json, url: '{upstream.url}/list/10000', every: 1s, jitter: 0%, "
                    "schedule: {min_gap: 0s}, freshness: {fresh_for: 1s}, records: {path: data}, key: id}\n"), folder)
                settled(daemon, upstream, 1, 10_000)
                upstream.ask("/ctl/slow?10000")
                fresh.append(load(daemon.socket, 16, "/v1/feeds/records/items/%d", seconds, 10_000)["rps"])
                reader = Reader(daemon.socket)
                deadline = time.monotonic() + 10
                while b"ttl=-" not in reader.get("/v1/feeds/records/items/7")[0]:
                    check(time.monotonic() < deadline, "the items do not expire")
                    time.sleep(0.05)
                check(daemon.ask("/v1/status")["in_flight"] == 1, "the upstream is not asked")
                said = load(daemon.socket, 16, "/v1/feeds/records/items/%d", seconds, 10_000)
                check(b"ttl=-" in reader.get("/v1/feeds/records/items/8")[0], "the items were fresh again")
                check(daemon.ask("/v1/status")["in_flight"] == 1, "the upstream has answered meanwhile")
                reader.close()
                stale.append(said["rps"])
                tails.append(said["p99_us"])
                daemon.process.kill()
                daemon.process.wait()
    finally:
        upstream.close()
    line = row("j3 stale", "16 clients, 10,000 items", stale, fresh, "requests/s", p99_us=median(tails))
    line["fresh"] = line.pop("floor")
    return [line]


def j3_beside(rounds=3, seconds=1.5):
    """Sixteen readers of 200,000 items while every row is rewritten again and again."""
    upstream = Upstream()
    upstream.ask("/ctl/generation?1")
    names = ["floor idle", "floor beside", "idle", "beside"]
    figures = {name: [] for name in names}
    passes = {"floor": 0, "refreshd": 0}
    try:
        upstream.ask("/ctl/generation?0")
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            database = os.path.join(folder, "floor.db")
            floor("j2", database, upstream.url)
            daemon = Daemon(records_feed(upstream), folder)
            settled(daemon, upstream, 400, 200_000)
            generation = 0

            def turn(work):
                nonlocal generation
                generation = 1 - generation
                upstream.ask(f"/ctl/generation?{generation}")
                return work()

            def rewrite():
                said = turn(lambda: daemon.refresh("records"))
                last = daemon.ask("/v1/feeds/records/history")["refreshes"][0]
                check(last["changed"] == 200_000, (said, last))

            for _ in range(rounds):
                bare = FloorServer(folder, database)
                figures["floor idle"].append(load(bare.socket, 16, "/items/%d", 0.6, 200_000))
                with Meanwhile(lambda: turn(lambda: floor("j2", database, upstream.url))) as writer:
                    figures["floor beside"].append(load(bare.socket, 16, "/items/%d", seconds, 200_000))
                passes["floor"] += writer.times
                bare.close()
                target = "/v1/feeds/records/items/%d"
                # Both writers have to find the other generation than the one that they wrote last.
                turn(lambda: daemon.refresh("records"))
                figures["idle"].append(load(daemon.socket, 16, target, 0.6, 200_000))
                with Meanwhile(rewrite) as writer:
                    figures["beside"].append(load(daemon.socket, 16, target, seconds, 200_000))
                passes["refreshd"] += writer.times
            daemon.close()
    finally:
        upstream.close()
    check(min(passes.values()) > 0, passes)
    rates = {name: [run["rps"] for run in figures[name]] for name in names}
    tails = {name: median([run["p99_us"] for run in figures[name]]) for name in names}
    return [row("j3 beside j2", "16 clients, 200,000 items", rates["beside"], rates["floor beside"], "requests/s",
                p99_us=tails["beside"], floor_p99_us=tails["floor beside"], idle=median(rates["idle"]),
                floor_idle=median(rates["floor idle"]), idle_p99_us=tails["idle"],
                p99_to_idle=round(tails["beside"] / tails["idle"], 2), passes=passes["refreshd"],
                floor_passes=passes["floor"])]


# MARK: growth

def j3_growth(rounds=3):
    """How a read's cost grows with the number of items, and that a page costs what it shows and not what lies before."""
    lines, first = [], {}
    for count in [1_000, 200_000, 2_000_000]:
        upstream = Upstream(records=max(count, 2000))
        try:
            with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                database = os.path.join(folder, "floor.db")
                url = f"{upstream.url}/list/1000" if count == 1_000 else None
                config = records_feed(upstream, count=count)
                if url:
                    config = config.replace(f"{upstream.url}/api/records", url)
                daemon = Daemon(config, folder)
                settled(daemon, upstream, max(1, count // 1000) if not url else 1, count, patience=900)
                floor("j2", database, upstream.url)
                bare = FloorServer(folder, database)
                runs = {"floor": (bare.socket, "/items/%d", count, "http"),
                        "refreshd": (daemon.socket, "/v1/feeds/records/items/%d", count, "http")}
                line = raced("growth j3 item", f"{count} items", 16, runs, rounds, 1.0)
                lines.append(line | {"us_each": round(1e6 / line["refreshd"], 2)})
                bare.close()
                # Each page is asked for once, so that none is kept; the last ones lie behind all others.
                depth = min(count // 50 - 1, 4000)
                times = walk(daemon, depth)
                first[count] = (statistics.median(times[:19]), statistics.median(times[-19:]))
                lines.append({
                    "job": "plans", "what": f"page of 50 of {count}", "unit": "us",
                    "first_pages": round(first[count][0] * 1e6, 1), "last_pages": round(first[count][1] * 1e6, 1),
                    "pages_in": depth, "to_1000": round(first[count][1] / first[1_000][1], 3)})
                daemon.close()
        finally:
            upstream.close()
    return lines


def walk(daemon, count):
    """Seconds of each page of 50, one after another from the beginning."""
    reader, times, cursor = Reader(daemon.socket), [], ""
    for _ in range(count):
        _, body, seconds = reader.get(f"/v1/feeds/records/items?limit=50{cursor}")
        check(body.count(b'"first_seen":') == 50, len(body))
        times.append(seconds)
        cursor = "&cursor=" + (text_of(body, "cursor") or raise_end())
    reader.close()
    return times
