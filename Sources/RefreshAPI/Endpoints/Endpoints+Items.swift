import RefreshCore
import RefreshStore

/// Reads of what is cached.
extension Endpoints {
    func items(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        // Taken before the rows, and of the same state of the database (semantics K6).
        let head = try head(of: feed)
        let tag = EntityTag(
            SyncKey(epoch: head.epoch, seq: head.seq).text(feed: feed.feed)
                + "-\(String(FNV.hash32(call.target.rawQuery), radix: 16))")
        guard let page = try page(call, feed, unless: tag) else {
            return .answer(unchanged(feed, tag, call))
        }
        var answer = Answer(json: page.json(feed, head, at: call.now.wall))
        Endpoints.label(&answer, feed, tag, at: call.now.wall)
        return lasting(answer, feed, head, call)
    }

    /// The rows that a call wants; nil where the client has them already.
    private func page(_ call: Call, _ feed: FeedStatus, unless tag: EntityTag) throws(Problem) -> ItemPage? {
        let keys = call.parameters.values("key")
        let limit = try call.parameters.number("limit", in: 1...500, or: 20)
        let cursor = try call.parameters.value("cursor")
        guard keys.isEmpty else {
            if keys.count > 100 { throw Problem(.invalidParameter, "\"key\" may stand 100 times") }
            if cursor != nil {
                throw Problem(.invalidParameter, "\"key\" and \"cursor\" do not go together")
            }
            return tag.isNamed(call) ? nil : try chosen(keys, of: feed.feed)
        }
        let place = try cursor.map { text throws(Problem) in try Endpoints.place(text, feed.feed) }
        if tag.isNamed(call) { return nil }
        var page = ItemPage(limit: limit)
        try read { () throws(StoreFailure) in
            try reader.items(of: feed.feed, after: place) { page.take($0) }
        }
        return page
    }

    private func chosen(_ keys: [[UInt8]], of feed: FeedID) throws(Problem) -> ItemPage {
        var page = ItemPage(limit: 100, isOrdered: false)
        for key in keys {
            var goesOn = true
            // Whether there is a trace of it does not matter: what is not there is passed over.
            _ = try read { () throws(StoreFailure) in
                try reader.item(of: feed, key: RecordKey(key)) { item in
                    if item.deleted == nil { goesOn = page.take(item) }
                }
            }
            if !goesOn { break }
        }
        return page
    }

    func item(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        let key = RecordKey(call.segment(.key) ?? [])
        let head = try head(of: feed)
        var found: Answer?
        // A tombstone is found too, and is no answer.
        _ = try read { () throws(StoreFailure) in
            try reader.item(of: feed.feed, key: key) { item in
                if item.deleted == nil { found = answer(item, feed, head, call) }
            }
        }
        guard let found else { throw Endpoints.absent(key, feed, at: call.now.wall) }
        return lasting(found, feed, head, call)
    }

    // MARK: - Pieces

    private func lasting(_ answer: Answer, _ feed: FeedStatus, _ head: FeedHead, _ call: Call) -> Reply {
        // Whatever is kept goes to everybody who asks.
        if call.viewer.access.hides(feed.feed) { return .answer(answer) }
        return .lasting(
            answer, of: .feed(feed.feed, FeedStamp(feed, epoch: head.epoch, seq: head.seq)),
            for: Hold(labelOf: feed, from: call.now))
    }

    private func answer(_ item: ItemRow, _ feed: FeedStatus, _ head: FeedHead, _ call: Call) -> Answer {
        let tag = EntityTag(SyncKey(epoch: head.epoch, seq: item.seq).text(feed: feed.feed))
        if tag.isNamed(call) { return unchanged(feed, tag, call) }
        var text = unsafe JSONText(reserving: item.body.count + 512)
        text.item(item)
        var answer = Answer(json: text)
        Endpoints.label(&answer, feed, tag, at: call.now.wall)
        return answer
    }

    private static func absent(_ key: RecordKey, _ feed: FeedStatus, at now: Timestamp) -> Problem {
        guard feed.freshness(at: now) == .new else {
            return Problem(.itemNotFound, "feed \"\(feed.feed)\" has no item \"\(key.text)\"")
        }
        let wait = feed.nextDue.map { max($0 - now, .seconds(1)) } ?? .seconds(60)
        return Problem(
            .neverFetched, "feed \"\(feed.feed)\" was never fetched, so nothing is known of its items",
            retryAfter: wait)
    }

    private static func place(_ text: [UInt8], _ feed: FeedID) throws(Problem) -> ItemPosition {
        do {
            return try Cursor(text: text, feed: feed).place
        } catch {
            throw Problem(
                .badCursor,
                error == .foreign
                    ? "the cursor belongs to another feed" : "the cursor is damaged or was never given out")
        }
    }

    private func unchanged(_ feed: FeedStatus, _ tag: EntityTag, _ call: Call) -> Answer {
        var answer = Answer(status: 304)
        Endpoints.label(&answer, feed, tag, at: call.now.wall)
        return answer
    }

    /// Says how fresh an answer is, on a 304 too (RFC 9211; semantics F12).
    private static func label(
        _ answer: inout Answer, _ feed: FeedStatus, _ tag: EntityTag, at now: Timestamp
    ) {
        answer.add("ETag", tag.text)
        // Kept copies are to be asked about each time: only we know when they change.
        answer.add("Cache-Control", "no-cache")
        var status = "refreshd; hit"
        if let left = feed.secondsLeft(at: now) {
            status += "; ttl=\(left)"
            if left < 0, feed.progress.failure != nil { status += "; detail=stale_if_error" }
        }
        answer.add("Cache-Status", status)
        if let fresh = feed.progress.lastSuccess { answer.add("Refreshd-Fresh-At", fresh.rfc3339) }
    }
}

extension EntityTag {
    fileprivate func isNamed(_ call: Call) -> Bool { call.ifNoneMatch.map { isNamed(in: $0) } ?? false }
}
