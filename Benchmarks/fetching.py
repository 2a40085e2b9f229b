"""Jobs that fetch and store: j1, j2, j5, and how their cost grows."""

import os
import sqlite3
import tempfile
import time

from harness import ROUNDS, Daemon, Upstream, check, floor, many_feeds, median, refresh_all, row, settled

HEAD = "version: 1\ndaemon: {allow_private: true, origin_gap: 0s, log: {level: error}, connections: {per_uid: 1000}}\n"


def j1(count=1000, rounds=ROUNDS):
    """Feeds of 30 entries: all new, then 5% changed by one entry and the others 304."""
    cold, warm, floor_cold, floor_warm, peaks, floor_peaks = [], [], [], [], [], []
    upstream = Upstream()
    changed = (count + 19) // 20
    try:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                upstream.ask("/ctl/epoch?0")
                database = os.path.join(folder, "floor.db")
                seconds, said, peak = floor("j1", database, upstream.url, str(count), "30", "32")
                check(said["entries_seen"] == 30 * count, said)
                floor_cold.append(seconds)
                floor_peaks.append(peak)
                upstream.ask("/ctl/epoch?1")
                seconds, said, _ = floor("j1", database, upstream.url, str(count), "30", "32")
                check(said["ok"] == changed and said["n304"] == count - changed, said)
                floor_warm.append(seconds)

                upstream.ask("/ctl/epoch?0")
                upstream.ask("/ctl/reset")
                daemon = Daemon(many_feeds(upstream.url, count), folder)
                settled(daemon, upstream, count, 30 * count)
                cold.append(time.monotonic() - daemon.started)
                peaks.append(daemon.memory()["VmHWM"])
                upstream.ask("/ctl/epoch?1")
                upstream.ask("/ctl/reset")
                started = time.monotonic()
                refresh_all(daemon, count)
                settled(daemon, upstream, count, 30 * count + changed)
                warm.append(time.monotonic() - started)
                stats = upstream.stats()
                check(stats["ok200"] == changed and stats["n304"] == count - changed, stats)
                daemon.close()
    finally:
        upstream.close()
    return [
        row("j1 cold", f"{count} feeds x 30", cold, floor_cold, "s", peak=median(peaks), floor_peak=median(floor_peaks)),
        row("j1 warm", f"{changed} x 200, {count - changed} x 304", warm, floor_warm, "s"),
    ]


def records_feed(upstream, incremental=False, count=200_000):
    """One feed over all pages of the API; large enough bounds, so that nothing is put out."""
    more = ""
    if incremental:
        # The whole pages all have one time, so an overlap would ask for all of them again.
        more = ("    incremental: {type: field, cursor: updated_at, to: {param: since}, overlap: 0s, full_every: off}\n"
                "    deletes: {absent: keep}\n")
    return HEAD + (
        "feeds:\n  records:\n    adapter: json\n"
        f"    url: '{upstream.url}/api/records'\n    every: 1d\n    schedule: {{min_gap: 0s}}\n"
        "    records: {path: data}\n    key: id\n"
        f"    paginate: {{type: cursor, next: next_cursor, to: {{param: cursor}}, max_pages: {count // 1000 + 10}}}\n"
        f"    keep: {{count: {2 * count}, bytes: 16GiB}}\n" + more)


def floor_pass(folder, upstream, count, *since):
    seconds, said, peak = floor("j2", os.path.join(folder, "floor.db"), upstream.url, *since)
    check(said["records"] == count, said)
    return seconds, peak


def place(daemon):
    return daemon.ask("/v1/feeds/records")["sync_key"]


def a_pass(daemon, upstream, requests, added, changed):
    """Seconds of a pass that has to ask so often and to find just that."""
    upstream.ask("/ctl/reset")
    before = place(daemon)
    started = time.monotonic()
    said = daemon.refresh("records")
    seconds = time.monotonic() - started
    stats = upstream.stats()
    check(stats["api"] == requests, (stats, said))
    last = daemon.ask("/v1/feeds/records/history")["refreshes"][0]
    check((last["added"], last["changed"], last["removed"]) == (added, changed, 0), last)
    # No row of the log was written where nothing has changed.
    check((place(daemon) == before) == (added + changed == 0), (before, last))
    return seconds


def cold(folder, upstream, count, incremental=False):
    upstream.ask("/ctl/reset")
    daemon = Daemon(records_feed(upstream, incremental, count), folder)
    settled(daemon, upstream, count // 1000, count, patience=600)
    return daemon, time.monotonic() - daemon.started


def rows_of(folder, count):
    """That the daemon's rows are the upstream's, read past the daemon."""
    with sqlite3.connect(f"file:{folder}/state/cache.sqlite3?mode=ro", uri=True) as database:
        found = database.execute("SELECT count(*), min(length(body)) FROM items WHERE state = 0").fetchone()
    database.close()
    check(found[0] == count and found[1] > 300, found)


def j2(count=200_000, rounds=ROUNDS, names=("cold", "same", "all changed", "incremental")):
    """A paged API: all new, the same again, every record changed; and, as another feed, only what is new."""
    ours = {name: [] for name in names}
    floors = {name: [] for name in names}
    peaks, floor_peaks = [], []
    upstream = Upstream(records=count)
    # Both generations are written down before anybody is measured.
    upstream.ask("/ctl/generation?1")
    pages, newer = count // 1000, 2000
    try:
        for _ in range(rounds):
            upstream.ask("/ctl/generation?0")
            upstream.ask("/ctl/epoch?0")
            with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                seconds, peak = floor_pass(folder, upstream, count)
                floors["cold"].append(seconds)
                floor_peaks.append(peak)
                floors["same"].append(floor_pass(folder, upstream, count)[0])
                upstream.ask("/ctl/generation?1")
                floors["all changed"].append(floor_pass(folder, upstream, count)[0])
                if "incremental" in names:
                    upstream.ask("/ctl/epoch?1")
                    floors["incremental"].append(floor_pass(folder, upstream, newer, "2026-01-01T00:00:00Z")[0])
                    upstream.ask("/ctl/epoch?0")

                upstream.ask("/ctl/generation?0")
                daemon, seconds = cold(folder, upstream, count)
                ours["cold"].append(seconds)
                peaks.append(daemon.memory()["VmHWM"])
                rows_of(folder, count)
                ours["same"].append(a_pass(daemon, upstream, pages, 0, 0))
                upstream.ask("/ctl/generation?1")
                ours["all changed"].append(a_pass(daemon, upstream, pages, 0, count))
                daemon.close()
            if "incremental" in names:
                with tempfile.TemporaryDirectory(prefix="rfb") as folder:
                    daemon, _ = cold(folder, upstream, count, incremental=True)
                    upstream.ask("/ctl/epoch?1")
                    ours["incremental"].append(a_pass(daemon, upstream, 2, 0, newer))
                    daemon.close()
    finally:
        upstream.close()
    what = {"cold": f"{count} records", "same": "nothing changed", "all changed": f"{count} changed",
            "incremental": f"{newer} changed, 2 requests"}
    more = {"cold": {"peak": median(peaks), "floor_peak": median(floor_peaks)}}
    return [row(f"j2 {name}", what[name], ours[name], floors[name], "s", **more.get(name, {})) for name in names]


# MARK: j5

HOSTS = 200


def j5(count=10_000, timeout=5000):
    """Everything due at once at many hosts, of which some are slow, some refuse, and some never answer."""
    upstream = Upstream(str(HOSTS))
    urls = [f"http://127.0.1.{1 + number % HOSTS}:{upstream.port}/rss/30/{number}.xml" for number in range(count)]
    silent = [host for host in range(1, HOSTS + 1) if host % 20 == 1]
    good = count - count // HOSTS * len(silent)
    try:
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            # The pages are made once, before anybody is measured.
            with open(os.path.join(folder, "feeds"), "w") as file:
                file.write("\n".join(urls) + "\n")
            upstream.ask("/ctl/reset")
            seconds, said, floor_peak = floor(
                "j5", os.path.join(folder, "floor.db"), os.path.join(folder, "feeds"), str(timeout), "2", "2")
            check(said["ok"] == good and said["entries_seen"] == 30 * good, said)
            bare = upstream.stats()
            upstream.ask("/ctl/reset")
            daemon = Daemon(j5_feeds(urls, timeout), folder)
            daemon.ask("/readyz")
            ready = time.monotonic() - daemon.started
            deadline = time.monotonic() + 150
            while daemon.ask("/v1/status")["items"] < 30 * good and time.monotonic() < deadline:
                time.sleep(0.05)
            total = time.monotonic() - daemon.started
            stats, status, memory = upstream.stats(), daemon.ask("/v1/status"), daemon.memory()
            daemon.close()
    finally:
        upstream.close()
    check(status["items"] == 30 * good, status)
    check(stats["peak_per_host"] <= 2, stats)
    return [{
        "job": "j5", "what": f"{count} feeds, {HOSTS} hosts", "unit": "s", "refreshd": round(total, 2),
        "floor": round(seconds, 2), "ratio": round(total / seconds, 3), "ready_s": round(ready, 2),
        "last_fast_s": stats["fast_done_s"], "floor_last_fast_s": bare["fast_done_s"],
        "last_slow_s": stats["slow_done_s"], "floor_last_slow_s": bare["slow_done_s"],
        "most_at_a_host": stats["peak_per_host"], "most_to_a_silent_host": stats["most_silent_reqs"],
        "peak": round(memory["VmHWM"], 1), "floor_peak": round(floor_peak, 1)}]


def j5_feeds(urls, timeout):
    lines = [
        "version: 1", "daemon: {concurrency: 400, per_origin: 2, allow_private: true, origin_gap: 0s, log: {level: error}}",
        f"defaults: {{adapter: feed, every: 1h, schedule: {{min_gap: 0s}}, request: {{timeout: {timeout}ms}}}}", "feeds:"]
    lines += [f"  f{number}: {{url: '{url}'}}" for number, url in enumerate(urls)]
    return "\n".join(lines) + "\n"


# MARK: growth

def j1_growth():
    """How the cost of a feed grows with their number."""
    return [line for count in [100, 1000, 10000] for line in j1(count, rounds=3)]


def j2_growth():
    """How the cost of a record grows with their number."""
    names = ("cold", "same", "all changed")
    lines = []
    for count in [20_000, 200_000, 2_000_000]:
        for line in j2(count, rounds=1 if count > 1_000_000 else 3, names=names):
            line["us_each"] = round(line["refreshd"] / count * 1e6, 2)
            line["what"] = f"{count} records"
            lines.append(line)
    return lines
