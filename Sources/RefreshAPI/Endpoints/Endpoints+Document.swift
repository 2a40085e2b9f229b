import RefreshCore
import RefreshStore

/// The bytes of an `http` feed.
extension Endpoints {
    func document(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        guard feed.adapter == Feed.Adapter.http.name else {
            throw Problem(
                .noDocument,
                "feed \"\(feed.feed)\" holds items, not a document: it is read as \(feed.adapter)")
        }
        let stored = try read { () throws(StoreFailure) in try reader.document(of: feed.feed) }
        guard let stored else { throw Endpoints.noDocument(feed, at: call.now.wall) }
        let tag = stored.tag
        var answer =
            tag.isNamed(call)
            ? Answer(status: 304) : Answer(status: 200, type: stored.mediaType, body: [])
        label(&answer, feed, tag, call)
        if let modified = stored.validators.lastModified, Endpoints.isFieldValue(modified) {
            answer.add("Last-Modified", modified)
        }
        return answer.status == 304 ? .answer(answer) : .document(answer, stored)
    }

    private static func noDocument(_ feed: FeedStatus, at now: Timestamp) -> Problem {
        guard feed.freshness(at: now) == .new else {
            return Problem(
                .noDocument,
                "the document of feed \"\(feed.feed)\" is not kept; a forced refresh brings it where keep.bytes allows"
            )
        }
        return Problem(
            .neverFetched, "feed \"\(feed.feed)\" was never fetched",
            retryAfter: feed.nextDue.map { max($0 - now, .seconds(1)) } ?? .seconds(60))
    }

    /// Whether an upstream's words may stand in a field of ours (RFC 9110, 5.5).
    static func isFieldValue(_ text: String) -> Bool {
        text.utf8.count <= 1_024 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0x80 }
    }
}

extension StoredDocument {
    /// The upstream's, unless that has stood for other bytes before: a client must not go on with those.
    var tag: EntityTag {
        guard !hasStuckTag, let text = validators.etag, Endpoints.isFieldValue(text),
            let tag = EntityTag(asReceived: text)
        else { return EntityTag(hash) }
        return tag
    }

    var mediaType: String {
        guard let type, !type.isEmpty, Endpoints.isFieldValue(type) else { return "application/octet-stream" }
        return type
    }
}
