#!/usr/bin/env python3
"""Counts the instructions of fixed work under callgrind, which does not depend on what else the machine does.

usage: instructions.py          compares with the recorded counts; 1 where one is off by more than the margin
       instructions.py record REASON    records today's counts, and why they moved
"""

import json
import os
import re
import subprocess
import sys
import tempfile

from harness import DAEMON, HERE, TOOLS, Daemon, Upstream, build, check, many_feeds, refresh_all, settled

RECORD = os.path.join(HERE, "instructions.json")
BARE = os.path.join(TOOLS, "refreshd")
MARGIN = 0.15
# Each figure is the difference between two runs of the daemon, so that start and stop cancel out.
FEEDS, PAGES, READS = 100, 9, 2000
# Seconds: who asks for the status all the time counts his own questions.
QUIET = 1


def collected(config, work):
    """Instructions of a daemon that starts, does `work` and stops."""
    with tempfile.TemporaryDirectory(prefix="rfb") as folder:
        log = os.path.join(folder, "callgrind")
        daemon = Daemon(config, folder, program=BARE, under=[
            "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"])
        work(daemon)
        daemon.close()
        with open(log) as file:
            found = re.search(r"Collected : (\d+)", file.read())
    check(found, "callgrind has counted nothing")
    return int(found.group(1))


def warm_feed(upstream):
    """A feed asked again whose upstream says 304: from the wish to the stored stamp."""
    def cold(daemon):
        settled(daemon, upstream, FEEDS, 30 * FEEDS, QUIET)

    def warm(daemon):
        cold(daemon)
        upstream.ask("/ctl/reset")
        refresh_all(daemon, FEEDS)
        settled(daemon, upstream, FEEDS, 30 * FEEDS, QUIET)
        stats = upstream.stats()
        check(stats["n304"] == FEEDS and stats["ok200"] == 0, stats)

    counts = []
    for work in [cold, warm]:
        upstream.ask("/ctl/reset")
        counts.append(collected(many_feeds(upstream.url, FEEDS), work))
    return (counts[1] - counts[0]) // FEEDS


def json_feeds(upstream, count):
    lines = ["version: 1", "daemon: {allow_private: true, origin_gap: 0s, log: {level: error}}", "feeds:"]
    lines += [f"  r{number}: {{adapter: json, url: '{upstream.url}/api/records', every: 1h, "
              "records: {path: data}, key: id}" for number in range(count)]
    return "\n".join(lines) + "\n"


def page_ingested(upstream):
    """A page of 1,000 JSON records, all new: from the request to the commit."""
    counts = []
    for pages in [1, 1 + PAGES]:
        upstream.ask("/ctl/reset")
        counts.append(collected(
            json_feeds(upstream, pages), lambda daemon: settled(daemon, upstream, pages, 1000 * pages, QUIET)))
    return (counts[1] - counts[0]) // PAGES


def read_items(daemon, count):
    connection = daemon.connect()
    for number in range(count):
        connection.sendall(b"GET /v1/feeds/r0/items/%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % (1 + number % 1000))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(65536)
        head, _, body = answer.partition(b"\r\n\r\n")
        check(head.startswith(b"HTTP/1.1 200 "), head)
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        while len(body) < length:
            body += connection.recv(65536)
    connection.close()


def item_read(upstream):
    """One item by its key on a kept connection: from the request to the answer."""
    def work(daemon, reads):
        settled(daemon, upstream, 1, 1000, QUIET)
        read_items(daemon, reads)

    counts = []
    for reads in [100, 100 + READS]:
        upstream.ask("/ctl/reset")
        counts.append(collected(json_feeds(upstream, 1), lambda daemon: work(daemon, reads)))
    return (counts[1] - counts[0]) // READS


def measure():
    # callgrind does not understand the debug information that Swift writes.
    subprocess.run(["strip", "--strip-debug", "-o", BARE, DAEMON], check=True)
    upstream = Upstream()
    try:
        return {"page ingested": page_ingested(upstream), "warm feed": warm_feed(upstream),
                "item read": item_read(upstream)}
    finally:
        upstream.close()


def recorded():
    with open(RECORD) as file:
        return json.load(file)


def rows():
    """For the driver: today's counts beside the recorded ones."""
    known = recorded()["counts"]
    return [{"job": "instructions", "what": name, "unit": "instructions", "today": count, "recorded": known[name],
             "ratio": round(count / known[name], 3)} for name, count in measure().items()]


def compare():
    off = 0
    for line in rows():
        within = abs(line["ratio"] - 1) <= MARGIN
        off += not within
        print(f"{line['what']}: {line['today']} instructions, recorded {line['recorded']}, ratio {line['ratio']}"
              + ("" if within else f": beyond the margin of {MARGIN:.0%}"))
    if off:
        print("mend what made them grow, or record them with the reason: "
              "Benchmarks/instructions.py record REASON", file=sys.stderr)
    return 1 if off else 0


def record(reason):
    counts = measure()
    known = recorded() if os.path.exists(RECORD) else {"counts": {}, "history": []}
    known["counts"] = counts
    known["history"].append({"reason": reason, "counts": counts})
    with open(RECORD, "w") as file:
        json.dump(known, file, indent=2)
        file.write("\n")
    print(json.dumps(counts))
    return 0


def main(arguments):
    build(["upstream"])
    if not arguments:
        return compare()
    if arguments[0] == "record" and len(arguments) > 1:
        return record(" ".join(arguments[1:]))
    print(__doc__.strip(), file=sys.stderr)
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
