import RefreshCore
import RefreshFormats

/// What the pages of a trial would change in the daemon's cache, as far as that can be told from outside.
struct TrialComparison {
    private(set) var added: [RecordKey] = []
    private(set) var changed: [RecordKey] = []
    private(set) var removed: [RecordKey] = []
    private(set) var unchanged = 0
    /// Items of the daemon that a complete pass did not meet; nil where that means nothing.
    private(set) var missing: Int?

    /// Bytes of keys in one request: a daemon reads 8 KiB of URL.
    private static let most = (keys: 100, bytes: 4_000)

    /// Nil where there is no daemon that has the feed, or it does not say.
    init?(_ feed: Feed, _ contents: TrialContents, isComplete: Bool, daemon: APIClient?) async {
        guard let daemon, let answer = try? await daemon.send(.get(["feeds", feed.id.name])),
            answer.problem == nil
        else { return nil }
        let bodies = contents.items.map(\.key) + contents.deleted
        guard let held = await TrialComparison.held(bodies, of: feed, daemon) else { return nil }
        for item in contents.items {
            guard let body = held[item.key] else {
                added.append(item.key)
                continue
            }
            let rules = (feed.records.ignore, feed.records.unordered)
            let isSame =
                CanonicalJSON.hash(of: item.body[...], ignoring: rules.0, unordered: rules.1)
                == CanonicalJSON.hash(of: body[...], ignoring: rules.0, unordered: rules.1)
            if isSame { unchanged += 1 } else { changed.append(item.key) }
        }
        removed = contents.deleted.filter { held[$0] != nil }
        if isComplete, feed.absent == .gone, let count = FeedAnswer(answer.value).items {
            missing = max(0, count - held.count)
        }
    }

    /// The records that the daemon has of these keys; nil where it does not answer.
    private static func held(
        _ keys: [RecordKey], of feed: Feed, _ daemon: APIClient
    ) async -> [RecordKey: [UInt8]]? {
        var held: [RecordKey: [UInt8]] = [:]
        var rest = keys[...]
        while !rest.isEmpty {
            var query: [(String, String)] = []
            var bytes = 0
            while let key = rest.first, query.count < most.keys {
                bytes += APIRequest.encoded(key.text).utf8.count + 5
                if bytes > most.bytes, !query.isEmpty { break }
                query.append(("key", key.text))
                rest.removeFirst()
            }
            let request = APIRequest.get(["feeds", feed.id.name, "items"], query: query)
            guard let answer = try? await daemon.send(request), answer.problem == nil else { return nil }
            for item in answer.value["items"]?.elements ?? [] {
                guard let key = item["key"]?.string, item["state"]?.string != "gone" else { continue }
                held[RecordKey(key)] = Array((item["data"]?.text ?? "null").utf8)
            }
        }
        return held
    }
}
