import RefreshCore
import RefreshStore

/// What has changed since a client looked last.
extension Endpoints {
    /// The longest that a client may wait for a change.
    static let longestWait: Duration = .seconds(60)

    /// - Parameter hasWaited: a call that has waited long enough is answered whatever there is.
    func changes(_ call: Call, hasWaited: Bool) throws(Problem) -> Reply {
        let feed = try feed(call)
        let limit = try call.parameters.number("limit", in: 1...1_000, or: 200)
        let wait = try call.parameters.duration("wait", upTo: Endpoints.longestWait)
        let head = try head(of: feed)
        let view = try view(call)
        let start = try start(call, feed.feed, head, view)
        if let format = call.stream {
            return .stream(
                ChangeStream(feed.feed, from: start, epoch: head.epoch, view: view, format: format))
        }
        if start.seq == head.seq, let wait, wait > .zero, !hasWaited { return .wait(feed.feed, wait) }
        var page = ChangePage(start: start, ItemText(view, head, times))
        page.end = try read { () throws(StoreFailure) in
            try reader.tellChanges(
                of: feed.feed, since: start.seq, limit: limit, view: view,
                readsLists: start.floorAtStart == nil
            ) { page.take($0) }
        }
        var answer = Answer(json: page.json(feed.feed))
        answer.add("Cache-Control", "no-store")
        // Whoever waits hardly waits alone: what one of them is told is kept for the others.
        guard wait != nil, start.seq < head.seq, !call.viewer.access.hides(feed.feed) else {
            return .answer(answer)
        }
        return .lasting(
            answer, of: .feed(feed.feed, FeedStamp(feed, epoch: head.epoch, seq: head.seq)),
            for: Hold(from: call.now, until: nil))
    }

    /// Notices of every feed.
    func events(_ call: Call) -> Reply {
        .stream(NoticeStream(format: call.stream ?? .events, for: call.viewer))
    }

    private func start(
        _ call: Call, _ feed: FeedID, _ head: FeedHead, _ view: ItemView
    ) throws(Problem) -> ChangeStart {
        // A stream that broke goes on behind the last event that came through, whatever its target says.
        let resumed = call.stream == nil ? nil : call.lastEventID
        let text: [UInt8]?
        if let resumed { text = resumed } else { text = try call.parameters.value("since") }
        switch text {
        case nil: return .beginning(head)
        case let text? where text.elementsEqual("now".utf8): return .now(head)
        case let text?: return try .reading(text, feed: feed, head: head, view: view)
        }
    }
}
