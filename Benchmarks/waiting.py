"""Jobs about clients that wait: streams at ten thousand changes a second, and a crowd that costs much."""

import json
import os
import resource
import socket
import subprocess
import tempfile
import threading
import time

from fetching import HEAD
from harness import TOOLS, Daemon, Upstream, check, load, median, settled, spawn

def tick_feeds(upstream, sizes=(100, 1000)):
    # That the streams of the round before have been left is found out within seconds, and is not what is measured.
    head = HEAD.replace("per_uid: 1000", "per_uid: 1000, streams: 1000")
    return head + "feeds:\n" + "".join(
        f"  tick{rows}: {{adapter: json, url: '{upstream.url}/tick/{rows}', every: 1h, schedule: {{min_gap: 0s}}, "
        "records: {path: data}, key: id}\n" for rows in sizes)


def told(daemon, mode, clients, rows, a_second, seconds):
    """What `clients` saw of a feed of so many rows, all of which change so often a second."""
    feed = f"tick{rows}"
    process = spawn(
        [os.path.join(TOOLS, "streamload"), mode, daemon.socket, os.path.join(daemon.folder, "state", "cache.sqlite3"),
         feed, str(clients)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = process.stderr.readline()
    check(said == "ready\n", said)
    begun, passes, late = time.monotonic(), 0, 0
    while (due := begun + passes / a_second) < begun + seconds:
        pause = due - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        else:
            late = max(late, -pause)
        said = daemon.refresh(feed)
        check(said["outcome"] == "refreshed", said)
        passes += 1
    took = time.monotonic() - begun
    output, errors = process.communicate(timeout=60)
    check(process.returncode == 0, errors)
    figures = json.loads(output)
    check(figures["disorder"] == 0 and figures["behind"] == 0, figures)
    check(figures["changes"] == passes * rows, (figures, passes))
    return figures | {"a_second": round(passes * rows / took), "late_s": round(late, 3)}


def streams(rounds=3, seconds=3):
    """From a commit to the clients that wait: 10,000 changes a second, in commits of 100 and of 1,000."""
    cases = [("sse", 100, 100, 100), ("sse", 100, 1000, 10), ("sse", 1, 100, 100), ("poll", 1, 100, 100),
             ("poll", 100, 100, 10)]
    lines = []
    upstream = Upstream()
    try:
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            daemon = Daemon(tick_feeds(upstream), folder)
            settled(daemon, upstream, 2, 1100)
            for mode, clients, rows, a_second in cases:
                runs = [told(daemon, mode, clients, rows, a_second, seconds) for _ in range(rounds)]
                wanted = sum(run["changes"] for run in runs) * clients
                lines.append({
                    "job": f"streams {mode}", "what": f"{clients} clients, {rows} a commit", "unit": "ms",
                    "changes_a_second": median([run["a_second"] for run in runs]),
                    "p50_ms": median([run["p50_ms"] for run in runs]),
                    "p99_ms": median([run["p99_ms"] for run in runs]), "goal_ms": 5,
                    "told": sum(run["events"] for run in runs), "merged": wanted - sum(run["events"] for run in runs)})
            daemon.close()
    finally:
        upstream.close()
    return lines + crowd()


# MARK: A crowd

POLLS, DEAF, SLOW = 2000, 200, 100


class Crowd:
    """Clients that wait for a change that never comes, streams that nobody reads, heads that come byte by byte."""

    def __init__(self, path, key):
        self.connections, self.path = [], path
        for _ in range(POLLS):
            self.add(f"GET /v1/feeds/records/changes?since={key}&wait=60s HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(DEAF):
            self.add("GET /v1/feeds/records/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
        self.slow = []
        self.wanted = True
        self.thread = threading.Thread(target=self.drip)
        self.thread.start()

    def add(self, text):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.path)
        connection.sendall(text.encode())
        self.connections.append(connection)
        return connection

    def drip(self):
        """One byte a second of each head; whoever is let go comes again."""
        while self.wanted:
            while len(self.slow) < SLOW:
                self.slow.append(self.add("GET /v1/status HTTP/1.1\r\nX: "))
            for connection in list(self.slow):
                try:
                    connection.send(b"x")
                except OSError:
                    self.slow.remove(connection)
            time.sleep(1)

    def close(self):
        check(self.thread.is_alive(), "the slow heads have gone")
        self.wanted = False
        self.thread.join()
        for connection in self.connections:
            connection.close()


def crowd(rounds=3, seconds=2.0):
    """How another client fares beside 2,000 that wait, 200 streams that nobody reads, and 100 slow heads."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * (POLLS + DEAF + SLOW)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        print("bench: the crowd is left out: this system allows too few descriptors")
        return []
    most = max(wanted, 8192)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    head = HEAD.replace("connections: {per_uid: 1000}", "connections: {max: 4096, per_uid: 4096, streams: 256}")
    alone, beside, memory = [], [], []
    upstream = Upstream()
    try:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                upstream.ask("/ctl/reset")
                daemon = Daemon(head + (
                    f"feeds:\n  records: {{adapter: json, url: '{upstream.url}/list/5000', every: 1h, "
                    "records: {path: data}, key: id}\n"), folder)
                settled(daemon, upstream, 1, 5000)
                target = "/v1/feeds/records/items/%d"
                alone.append(load(daemon.socket, 1, target, seconds, 1000))
                before = daemon.memory()["RssAnon"]
                guests = Crowd(daemon.socket, daemon.ask("/v1/feeds/records")["sync_key"])
                deadline = time.monotonic() + 20
                while clients(daemon) < POLLS + DEAF and time.monotonic() < deadline:
                    time.sleep(0.05)
                there = clients(daemon)
                check(there >= POLLS + DEAF, there)
                beside.append(load(daemon.socket, 1, target, seconds, 1000))
                memory.append(daemon.memory()["RssAnon"] - before)
                check(clients(daemon) >= POLLS + DEAF, "the crowd has gone meanwhile")
                guests.close()
                daemon.process.kill()
                daemon.process.wait()
    finally:
        upstream.close()
    mine, his = median([run["p99_us"] for run in beside]), median([run["p99_us"] for run in alone])
    return [{
        "job": "crowd", "what": f"{POLLS} polls, {DEAF} deaf, {SLOW} slow", "unit": "us", "p99_us": mine,
        "alone_p99_us": his, "ratio": round(mine / his, 3), "goal": 2,
        "p50_us": median([run["p50_us"] for run in beside]), "alone_p50_us": median([run["p50_us"] for run in alone]),
        "refreshd": median([run["rps"] for run in beside]), "alone": median([run["rps"] for run in alone]),
        "anonymous_mb": median(memory)}]


def clients(daemon):
    """How many connections the daemon counts."""
    with daemon.connect() as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        text = b""
        while piece := connection.recv(1 << 20):
            text += piece
    return int(text.split(b"\nrefreshd_api_clients ")[1].split(b"\n")[0])
