#!/usr/bin/env python3
"""Keeps a copy of a feed in SQLite and misses nothing, whatever kills it: changes and key go in one transaction.

usage: follow.py SOCKET FEED DATABASE [--once]      --once ends when everything is there
"""

import http.client
import json
import socket
import sqlite3
import sys
import time
import urllib.parse


def get(path, target):
    connection = http.client.HTTPConnection("localhost", timeout=90)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(path)
    try:
        connection.request("GET", target)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def snapshot(path, feed, database):
    """Reads the whole list; its first page already carries the key from which to go on."""
    key, cursor, seen = None, "", set()
    while True:
        status, page = get(path, f"/v1/feeds/{feed}/items?limit=500{cursor}")
        if status != 200:
            raise OSError(f"{status}: {page.get('detail')}")
        key = key or page["sync_key"]
        with database:
            for item in page["items"]:
                seen.add(item["key"])
                database.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?)",
                                 (item["key"], item["rev"], json.dumps(item["data"])))
        if not page["has_more"]:
            break
        cursor = "&cursor=" + urllib.parse.quote(page["cursor"])
    with database:
        # What was not seen is no longer there; only now is the key worth keeping.
        for (old,) in database.execute("SELECT key FROM items").fetchall():
            if old not in seen:
                database.execute("DELETE FROM items WHERE key = ?", (old,))
        database.execute("INSERT OR REPLACE INTO place VALUES (1, ?)", (key,))
    return key


def follow(path, feed, database, once):
    row = database.execute("SELECT key FROM place").fetchone()
    key = row[0] if row else snapshot(path, feed, database)
    while True:
        status, answer = get(path, f"/v1/feeds/{feed}/changes?since={key}&limit=1000&wait={'0s' if once else '60s'}")
        if status == 410:
            key = snapshot(path, feed, database)
            continue
        if status != 200:
            raise OSError(f"{status}: {answer.get('detail')}")
        with database:
            for change in answer["changes"]:
                if change["op"] == "upsert":
                    database.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?)",
                                     (change["key"], change["rev"], json.dumps(change["item"]["data"])))
                else:
                    database.execute("DELETE FROM items WHERE key = ?", (change["key"],))
            database.execute("INSERT OR REPLACE INTO place VALUES (1, ?)", (answer["sync_key"],))
        key = answer["sync_key"]
        if once and not answer["has_more"]:
            return


def main(arguments):
    once = "--once" in arguments
    names = [argument for argument in arguments if argument != "--once"]
    if len(names) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 64
    path, feed, file = names
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, rev INTEGER, data TEXT)")
    database.execute("CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY, key TEXT)")
    while True:
        try:
            follow(path, feed, database, once)
            return 0
        except (OSError, http.client.HTTPException) as error:
            if once:
                print(error, file=sys.stderr)
                return 1
            time.sleep(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
