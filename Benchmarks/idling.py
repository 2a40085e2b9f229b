"""Jobs about a daemon with much configured and little to do: j4, its minute, and reading the configuration."""

import os
import subprocess
import tempfile
import time

from harness import ROOT, ROUNDS, Daemon, Upstream, check, many_feeds, median, settled

CLIENT = os.path.join(ROOT, ".build", "release", "refreshctl")


def j4(rounds=3):
    """Idle with many feeds: memory, and the time from start to the first answer."""
    rows = []
    for count in [1000, 10000]:
        upstream = Upstream()
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            try:
                filled(upstream, folder, count)
                ready, total, anonymous = [], [], []
                for _ in range(rounds):
                    daemon = Daemon(many_feeds(upstream.url, count), folder)
                    daemon.ask("/readyz")
                    ready.append(time.monotonic() - daemon.started)
                    time.sleep(1)
                    memory = daemon.memory()
                    total.append(memory["VmRSS"])
                    anonymous.append(memory["RssAnon"])
                    daemon.close()
                stats = upstream.stats()
                check(stats["ok200"] + stats["n304"] == 0, stats)
                rows.append({
                    "job": "j4 idle", "what": f"{count} feeds", "rss_mb": median(total),
                    "anonymous_mb": median(anonymous), "ready_ms": median(ready) * 1000})
            finally:
                upstream.close()
    return rows


def filled(upstream, folder, count):
    """Leaves a state folder in which every feed was fetched just now."""
    daemon = Daemon(many_feeds(upstream.url, count), folder)
    settled(daemon, upstream, count, 30 * count)
    daemon.close()
    upstream.ask("/ctl/reset")


def j4_minute(seconds=60):
    """Processor time of a minute in which nothing is due and nobody asks."""
    rows = []
    for count in [1000, 10000]:
        upstream = Upstream()
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            try:
                filled(upstream, folder, count)
                daemon = Daemon(many_feeds(upstream.url, count), folder)
                daemon.ask("/readyz")
                time.sleep(2)
                before = daemon.cpu()
                time.sleep(seconds)
                used, memory = daemon.cpu() - before, daemon.memory()
                daemon.close()
                stats = upstream.stats()
                check(stats["ok200"] + stats["n304"] == 0, stats)
                rows.append({
                    "job": "j4 minute", "what": f"{count} feeds", "cpu_ms": round(used * 1000 * 60 / seconds, 2),
                    "goal_ms": 10, "rss_mb": round(memory["VmRSS"], 1), "anonymous_mb": round(memory["RssAnon"], 1)})
            finally:
                upstream.close()
    return rows


def config(rounds=ROUNDS, count=10_000):
    """A file of 10,000 feeds: read by `refreshctl check`, by a daemon that starts, and again with one feed changed."""
    text = many_feeds("http://127.0.0.1:9", count, every="off")
    checked, ready, same, one = [], [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="rfb") as folder:
            daemon = Daemon(text, folder)
            daemon.ask("/readyz")
            ready.append(time.monotonic() - daemon.started)
            path = os.path.join(folder, "plugins.yaml")
            started = time.monotonic()
            said = subprocess.run([CLIENT, "check", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            checked.append(time.monotonic() - started)
            check(said.returncode == 0, said.stdout)
            check(daemon.ask("/v1/status")["feeds"]["total"] == count, daemon.ask("/v1/status"))
            same.append(reloaded(daemon))
            changed = text.replace("f77: {url: '", "f77: {title: another, url: '")
            check(changed != text, "nothing was changed")
            with open(path, "w") as file:
                file.write(changed)
            one.append(reloaded(daemon))
            check(daemon.ask("/v1/feeds/f77").get("title") == "another", daemon.ask("/v1/feeds/f77"))
            daemon.close()
    return [
        {"job": "config load", "what": f"{count} feeds", "unit": "ms", "check_ms": median(checked) * 1000,
         "ready_ms": median(ready) * 1000, "goal_ms": 1000},
        {"job": "config reload", "what": f"1 of {count} feeds", "unit": "ms", "one_ms": median(one) * 1000,
         "nothing_ms": median(same) * 1000, "goal_ms": 200}]


def reloaded(daemon):
    started = time.monotonic()
    daemon.ask("/v1/reload", {}, control=True)
    return time.monotonic() - started
