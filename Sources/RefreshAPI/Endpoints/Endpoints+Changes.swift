import RefreshCore
import RefreshStore

/// What has changed since a client looked last.
extension Endpoints {
    func changes(_ call: Call) throws(Problem) -> Answer {
        let feed = try feed(call)
        let limit = try call.parameters.number("limit", in: 1...1_000, or: 200)
        let head = try head(of: feed)
        let start: ChangeStart
        switch try call.parameters.value("since") {
        case nil: start = .beginning(head)
        case let text? where text.elementsEqual("now".utf8): start = .now(head)
        case let text?: start = try .reading(text, feed: feed.feed, head: head)
        }
        var page = ChangePage(start: start, limit: limit)
        if start.seq < head.seq {
            try read { () throws(StoreFailure) in
                try reader.changes(of: feed.feed, since: start.seq) { page.take($0) }
            }
        }
        var answer = Answer(json: page.json(feed.feed, head))
        answer.add("Cache-Control", "no-store")
        return answer
    }
}
