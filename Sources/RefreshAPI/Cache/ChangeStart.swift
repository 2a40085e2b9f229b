import RefreshCore
import RefreshStore

/// From where on a client wants to hear of changes, and what it may hold to go on (semantics K2–K7).
struct ChangeStart: Hashable {
    let seq: Seq
    /// Set while a client reads everything from the beginning and has not come past the floor that stood when it
    /// began. Below that floor the log holds live items only and the client has seen no others, so its place is
    /// valid for as long as nothing more is purged.
    let floorAtStart: Seq?

    /// From the beginning: every live item as an upsert.
    static func beginning(_ head: FeedHead) -> ChangeStart { ChangeStart(seq: 0, floorAtStart: head.floor) }

    /// From now on.
    static func now(_ head: FeedHead) -> ChangeStart { ChangeStart(seq: head.seq, floorAtStart: nil) }

    /// Reads a key that a client sent, and refuses what can no longer be answered.
    static func reading(
        _ text: [UInt8], feed: FeedID, head: FeedHead, view: ItemView = .plain
    ) throws(Problem) -> ChangeStart {
        let (floor, plain) = split(text)
        let key: SyncKey
        do {
            key = try SyncKey(
                text: String(decoding: plain, as: UTF8.self), feed: feed,
                view: floor.map { hash($0, view) } ?? view.hash)
        } catch {
            throw Problem(
                .badKey,
                error == .foreign
                    ? "the sync key belongs to another feed or another view of it"
                    : "the sync key is damaged or was never given out")
        }
        // While it reads from the beginning, the floor below which the log holds live items only is its own.
        let reason = floor == head.floor && head.resync(key) == .horizon ? nil : head.resync(key)
        if let reason { throw resync(reason) }
        if let floor, floor != head.floor { throw resync(.horizon) }
        return ChangeStart(seq: key.seq, floorAtStart: floor)
    }

    /// What the client is to send next, having seen everything up to `seq`.
    func next(_ seq: Seq, feed: FeedID, head: FeedHead, view: ItemView = .plain) -> String {
        let key = SyncKey(epoch: head.epoch, seq: seq)
        guard let floorAtStart, seq < head.floor else { return key.text(feed: feed, view: view.hash) }
        return "\(floorAtStart).\(key.text(feed: feed, view: ChangeStart.hash(floorAtStart, view)))"
    }

    static func resync(_ reason: Resync) -> Problem {
        let what =
            switch reason {
            case .epoch: "the cache was begun anew since"
            case .future: "the cache has gone back behind it"
            case .horizon: "deletions since then are no longer known"
            }
        return Problem(
            .resync, "\(what); read the items again and go on with the sync key that they come with",
            members: [.text("reason", reason.rawValue)])
    }

    private static func hash(_ floor: Seq, _ view: ItemView) -> UInt32 {
        FNV.hash32("from the beginning over \(floor) through \(view.hash)".utf8)
    }

    private static func split(_ text: [UInt8]) -> (Seq?, ArraySlice<UInt8>) {
        guard let point = text.firstIndex(of: UInt8(ascii: ".")),
            let floor = Seq(String(decoding: text[..<point], as: UTF8.self))
        else { return (nil, text[...]) }
        return (floor, text[(point + 1)...])
    }
}
