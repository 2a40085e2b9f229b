import RefreshCore
import RefreshStore

/// Reads of what is cached.
extension Endpoints {
    func items(_ call: Call, hasWaited: Bool) throws(Problem) -> Reply {
        let feed = try feed(call)
        if let reply = try networkFirst(call, feed, hasWaited: hasWaited) { return reply }
        if let reply = try refuseIfTooStale(call, feed, hasWaited: hasWaited) { return reply }
        let view = try view(call)
        // Taken before the rows, and of the same state of the database (semantics K6).
        let head = try head(of: feed)
        let tag = EntityTag(
            head.key.text(feed: feed.feed)
                + "-\(String(FNV.hash32(call.target.rawQuery), radix: 16))")
        let order = try order(call)
        guard let page = try page(call, feed, ItemText(view, head, times), order, unless: tag) else {
            return .answer(unchanged(feed, tag, call))
        }
        let aged = page.aged(feed)
        var answer = Answer(json: page.json(aged, order: order, at: call.now.wall))
        label(&answer, aged, tag, call)
        return lasting(answer, aged, head, call)
    }

    /// Asks the upstream before the cache, for a reader who wants that (semantics F6); nil where it has been done, or is
    /// not wanted.
    private func networkFirst(_ call: Call, _ feed: FeedStatus, hasWaited: Bool) throws(Problem) -> Reply? {
        let wait = try call.parameters.duration("wait", upTo: Endpoints.longestWait)
        guard let text = try call.parameters.value("policy") else {
            return wait == nil || hasWaited ? nil : .fetchFirst(feed.feed, wait: wait ?? .zero)
        }
        switch ReadPolicy(rawValue: String(decoding: text, as: UTF8.self)) {
        case .cacheFirst, .cacheOnly: return nil
        case .networkFirst: return hasWaited ? nil : .fetchFirst(feed.feed, wait: wait ?? feed.serving.wait)
        case nil:
            let known = ReadPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "\"policy\" must be one of \(known)")
        }
    }

    /// A reader may say how stale is too stale, and where none does the file, or an upstream that is followed
    /// (semantics F7, F10). What has to be asked for again first is asked for; nil where it is not too stale.
    private func refuseIfTooStale(
        _ call: Call, _ feed: FeedStatus, hasWaited: Bool
    ) throws(Problem) -> Reply? {
        var reason = "longer than was asked for"
        var end = feed.servedUntil
        if let text = try call.parameters.value("max_stale") {
            if text.elementsEqual("any".utf8) { return nil }
            let longest = try call.parameters.duration("max_stale", upTo: .seconds(366 * 86_400))
            end = feed.freshUntil.flatMap { until in longest.map { until + $0 } }
        } else if feed.serving.mustRevalidate {
            reason = "and its upstream allows no stale copies"
        } else {
            reason = "longer than \"stale_if_error\" allows, and refreshes fail"
        }
        guard let end, let until = feed.freshUntil, call.now.wall > end else { return nil }
        if end == until, feed.serving.mustRevalidate {
            if !hasWaited { return .fetchFirst(feed.feed, wait: feed.serving.wait) }
            // It was asked, now or a moment ago, and answers.
            if feed.progress.failure == nil { return nil }
        }
        throw Problem(
            .tooStale, "the items are stale since \(until.rfc3339), \(reason)",
            retryAfter: feed.nextDue.map { max($0 - call.now.wall, .seconds(1)) })
    }

    /// The rows that a call wants; nil where the client has them already.
    private func page(
        _ call: Call, _ feed: FeedStatus, _ text: ItemText, _ order: ItemCursor.Order, unless tag: EntityTag
    ) throws(Problem) -> ItemPage? {
        let keys = call.parameters.values("key")
        let limit = try call.parameters.number("limit", in: 1...500, or: 20)
        let cursor = try call.parameters.value("cursor")
        guard keys.isEmpty else {
            if keys.count > 100 { throw Problem(.invalidParameter, "\"key\" may stand 100 times") }
            if cursor != nil {
                throw Problem(.invalidParameter, "\"key\" and \"cursor\" do not go together")
            }
            return tag.isNamed(call) ? nil : try chosen(keys, of: feed.feed, text)
        }
        var place: ItemCursor.Place?
        if let cursor { place = try Endpoints.place(cursor, feed.feed, text.view, order) }
        if tag.isNamed(call) { return nil }
        var page = ItemPage(text)
        let request = ListRequest(
            order: order, place: place, limit: limit, includesGone: text.view.include.contains("gone"))
        page.end = try read { () throws(StoreFailure) in
            try reader.page(of: feed.feed, request) { page.take($0) }
        }
        return page
    }

    private func chosen(_ keys: [[UInt8]], of feed: FeedID, _ text: ItemText) throws(Problem) -> ItemPage {
        var page = ItemPage(text)
        let withGone = text.view.include.contains("gone")
        for key in keys {
            var goesOn = true
            // Whether there is a trace of it does not matter: what is not there is passed over.
            _ = try read { () throws(StoreFailure) in
                try reader.item(of: feed, key: RecordKey(key)) { item in
                    if item.deleted == nil || (item.isGone && withGone) { goesOn = page.take(item) }
                }
            }
            if !goesOn {
                page.end.hasMore = true
                break
            }
        }
        return page
    }

    func item(_ call: Call, hasWaited: Bool) throws(Problem) -> Reply {
        let feed = try feed(call)
        let key = RecordKey(call.segment(.key) ?? [])
        let head = try head(of: feed)
        let text = ItemText(try view(call), head, times)
        var found: Answer?
        var aged = feed
        // A tombstone is found too, and is no answer.
        _ = try read { () throws(StoreFailure) in
            try reader.item(of: feed.feed, key: key) { item in
                guard item.deleted == nil || item.isGone else { return }
                aged = feed.asOf(item.checkedAt(in: head))
                found = answer(item, aged, text, call)
            }
        }
        guard let found else { throw Endpoints.absent(key, feed, at: call.now.wall) }
        if let reply = try refuseIfTooStale(call, aged, hasWaited: hasWaited) { return reply }
        return lasting(found, aged, head, call)
    }

    /// The feed that is to be refreshed behind the back of a read: one that is not fresh and that no schedule will
    /// fetch by itself (semantics F5, F6; refresh policy 2.4).
    func feedToRefresh(behind call: Call) -> FeedID? {
        switch call.route.endpoint {
        case .items, .item, .more: break
        default: return nil
        }
        guard let feed = try? feed(call), !feed.inFlight, feed.freshness(at: call.now.wall) != .fresh,
            feed.nextDue.map({ $0 <= call.now.wall }) ?? true
        else { return nil }
        switch feed.state {
        case .active, .backoff, .limited: break
        case .gone, .paused, .disabled, .configError: return nil
        }
        let policy = call.parameters.values("policy").last ?? []
        return policy.elementsEqual(ReadPolicy.cacheOnly.rawValue.utf8) ? nil : feed.feed
    }

    // MARK: - Pieces

    private func lasting(_ answer: Answer, _ feed: FeedStatus, _ head: FeedHead, _ call: Call) -> Reply {
        // Whatever is kept goes to everybody who asks.
        // What asks for the upstream, or for no older a copy, is looked at each time.
        let isPlain = ["policy", "wait", "max_stale"].allSatisfy { call.parameters.values($0).isEmpty }
        guard isPlain, !call.viewer.access.hides(feed.feed) else { return .answer(answer) }
        return .lasting(
            answer, of: .feed(feed.feed, FeedStamp(feed, epoch: head.epoch, seq: head.seq)),
            for: Hold(labelOf: feed, from: call.now))
    }

    /// What is gone is answered with its last copy (410), so that nobody takes it for a fault.
    private func answer(_ item: ItemRow, _ feed: FeedStatus, _ text: ItemText, _ call: Call) -> Answer {
        let key = SyncKey(epoch: text.head.epoch, seq: item.seq).text(feed: feed.feed, view: text.view.hash)
        let tag = EntityTag(key)
        if tag.isNamed(call), !item.isGone { return unchanged(feed, tag, call) }
        var json = unsafe JSONText(reserving: item.body.count + ItemText.overhead)
        text.write(item, to: &json)
        var answer = Answer(item.isGone ? 410 : 200, json: json)
        label(&answer, feed, tag, call)
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

    func unchanged(_ feed: FeedStatus, _ tag: EntityTag, _ call: Call) -> Answer {
        var answer = Answer(status: 304)
        label(&answer, feed, tag, call)
        return answer
    }

    /// Says how fresh an answer is, on a 304 too (RFC 9211; semantics F12).
    func label(
        _ answer: inout Answer, _ feed: FeedStatus, _ tag: EntityTag, _ call: Call
    ) {
        let now = call.now.wall
        answer.add("ETag", tag.text)
        // Kept copies are to be asked about each time: only we know when they change.
        answer.add("Cache-Control", "no-cache")
        var status = call.hasFetched ? "refreshd; fwd=request; stored" : "refreshd; hit"
        if let left = feed.secondsLeft(at: now) {
            status += "; ttl=\(left)"
            if left < 0, feed.progress.failure != nil {
                status += "; detail=stale_if_error"
            } else if feed.freshness(at: now) == .stale {
                status += "; detail=stale_while_revalidate"
            }
        }
        answer.add("Cache-Status", status)
        if let fresh = feed.progress.lastSuccess {
            answer.add("Refreshd-Fresh-At", times.text(fresh, .freshAt))
        }
    }
}

extension EntityTag {
    func isNamed(_ call: Call) -> Bool { call.ifNoneMatch.map { isNamed(in: $0) } ?? false }
}
