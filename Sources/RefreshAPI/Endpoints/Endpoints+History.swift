import RefreshCore
import RefreshEngine

/// What the refreshes of a feed came to.
extension Endpoints {
    func history(_ call: Call) throws(Problem) -> Answer {
        let feed = try feed(call).feed
        let entries = history.entries(of: feed)
        var text = JSONText(reserving: 128 + entries.count * 224)
        text.object { text in
            text.member("feed", feed.name)
            text.name("refreshes")
            text.array { text in
                for entry in entries { Endpoints.write(entry, to: &text) }
            }
        }
        var answer = Answer(json: text)
        answer.add("Cache-Control", "no-store")
        return answer
    }

    private static func write(_ entry: HistoryEntry, to text: inout JSONText) {
        text.object { text in
            text.member("at", entry.at)
            text.member("why", entry.cause.name)
            text.member("result", entry.result.name)
            text.member("requests", entry.requests)
            text.member("status", entry.status)
            text.member("bytes", entry.bytes)
            text.member("took_ms", entry.milliseconds)
            text.member("added", entry.added)
            text.member("changed", entry.changed)
            text.member("removed", entry.removed)
            if let fault = entry.fault {
                text.name("error")
                text.object { text in
                    text.member("class", fault.class.rawValue)
                    text.member("code", fault.code)
                }
            }
        }
    }
}
