#!/bin/sh
# Keeps a copy of a feed in SQLite and misses nothing, whatever kills it: changes and key go in one transaction.
# usage: follow.sh SOCKET FEED DATABASE      needs curl, jq and sqlite3
set -eu
socket=$1 feed=$2 database=$3
get() { curl --silent --show-error --fail-with-body --max-time 90 --unix-socket "$socket" "http://localhost$1"; }
sqlite3 "$database" 'CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, rev INTEGER, data TEXT);
    CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY, key TEXT)'
to_sql='def q: "'\''" + gsub("'\''"; "'\'''\''") + "'\''"; "BEGIN;",
    (.changes[] | if .op == "upsert"
        then "INSERT OR REPLACE INTO items VALUES (\(.key | q), \(.rev), \(.item.data | tojson | q));"
        else "DELETE FROM items WHERE key = \(.key | q);" end),
    "INSERT OR REPLACE INTO place VALUES (1, \(.sync_key | q));", "COMMIT;"'
while :; do
    key=$(sqlite3 "$database" 'SELECT key FROM place')
    if answer=$(get "/v1/feeds/$feed/changes?limit=1000&wait=60s${key:+&since=$key}"); then
        printf '%s' "$answer" | jq -r "$to_sql" | sqlite3 -bail "$database"
    elif [ "$(printf '%s' "$answer" | jq -r '.code // empty')" = resync ]; then
        # Without a key the changes begin with everything that is there.
        sqlite3 "$database" 'BEGIN; DELETE FROM items; DELETE FROM place; COMMIT'
    else
        sleep 1
    fi
done
