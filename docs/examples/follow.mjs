// Keeps a copy of a feed in a JSON file and misses nothing, whatever kills it: items and key are replaced together.
// usage: node follow.mjs SOCKET FEED FILE
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";

const [socketPath, feed, file] = process.argv.slice(2);

function get(path) {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, headers: { Host: "localhost" } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => (text += piece));
      answer.on("end", () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
    }).on("error", reject).end();
  });
}

function load() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { key: "", items: {} };
  }
}

function save(state) {
  writeFileSync(`${file}.new`, JSON.stringify(state), { flush: true });
  renameSync(`${file}.new`, file);
}

let state = load();
for (;;) {
  const since = state.key ? `&since=${state.key}` : "";
  const { status, body } = await get(`/v1/feeds/${feed}/changes?limit=1000&wait=60s${since}`).catch(() => ({ status: 0 }));
  if (status === 410) {
    // Without a key the changes begin with everything that is there.
    state = { key: "", items: {} };
  } else if (status === 200) {
    for (const change of body.changes) {
      if (change.op === "upsert") state.items[change.key] = change.item.data;
      else delete state.items[change.key];
    }
    state.key = body.sync_key;
    save(state);
  } else {
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
