import RefreshCore
import RefreshStore

/// Going on in a list: first what has changed, then the next page, in one answer (semantics P3).
extension Endpoints {
    private struct Wish {
        var cursor: String?
        var since: String?
        var limit = 20
        var order = ItemCursor.Order.sort
        var view = ItemView()
    }

    func more(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        let wish = try wish(call)
        let head = try head(of: feed)
        let text = ItemText(wish.view, head, times)
        var list = ListRequest(
            order: wish.order, limit: wish.limit, includesGone: wish.view.include.contains("gone"))
        if let cursor = wish.cursor {
            list.place = try Endpoints.place(Array(cursor.utf8), feed.feed, wish.view, wish.order)
        }
        var start: ChangeStart?
        if let since = wish.since {
            start = try .reading(Array(since.utf8), feed: feed.feed, head: head, view: wish.view)
        }
        return .answer(try answer(feed.feed, start, list, text))
    }

    private func answer(
        _ feed: FeedID, _ start: ChangeStart?, _ list: ListRequest, _ text: ItemText
    ) throws(Problem) -> Answer {
        var changes = start.map { ChangePage(start: $0, text) }
        var page = ItemPage(text)
        let since = start.map { SyncKey(epoch: text.head.epoch, seq: $0.seq) }
        let request = MoreRequest(list: list, since: since, view: text.view)
        let result = try read { () throws(StoreFailure) in
            try reader.more(
                of: feed, request, change: { changes?.take($0) ?? true }, item: { page.take($0) })
        }
        switch result {
        case nil:
            throw Problem(.neverFetched, "feed \"\(feed)\" is not in the cache yet", retryAfter: .seconds(1))
        case .failure(let reason): throw ChangeStart.resync(reason)
        case .success(let end):
            if let told = end.changes { changes?.end = told }
            page.end = end.list
            var json = JSONText(reserving: 16_384)
            json.object { json in
                changes?.write(feed, to: &json)
                page.write(feed, order: list.order, to: &json)
                if end.isPageDeferred { json.member("page_deferred", true) }
            }
            var answer = Answer(json: json)
            answer.add("Cache-Control", "no-store")
            return answer
        }
    }

    private func wish(_ call: Call) throws(Problem) -> Wish {
        var wish = Wish()
        try JSONBody(call.body).each { body, name, value throws(Problem) in
            switch name {
            case "cursor": wish.cursor = try body.text(value, name)
            case "since": wish.since = try body.text(value, name)
            case "limit": wish.limit = try body.number(value, name, in: 1...500)
            case "order":
                let text = try body.text(value, name)
                guard let order = ItemCursor.Order.allCases.first(where: { $0.name == text }) else {
                    throw Problem(.badBody, "\"order\" must be sort, reverse or key", pointer: "/order")
                }
                wish.order = order
            case "fields": wish.view.fields = try body.texts(value, name)
            case "evictions": wish.view.evictions = try body.flag(value, name)
            case "include":
                let names = try body.texts(value, name)
                guard names.allSatisfy({ $0 == "gone" }) else {
                    throw Problem(.badBody, "\"include\" knows gone", pointer: "/include")
                }
                wish.view.include = Set(names)
            default:
                throw Problem(
                    .badBody,
                    "unknown member \"\(name)\"; known are cursor, since, limit, order, fields, evictions, include",
                    pointer: JSONBody.pointer(name))
            }
        }
        return wish
    }
}
