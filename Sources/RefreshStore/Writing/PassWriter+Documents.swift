import RefreshCore

/// The bytes of an opaque document, kept beside the item that describes it.
extension PassWriter {
    /// Lets the bytes go where the bound on the cache has come down: otherwise the item would have to.
    mutating func boundDocument() throws(StoreFailure) {
        guard feed.bytes > commit.retention.bytes.bytes, let kept = try documents.find(feed.id) else {
            return
        }
        try drop(kept)
    }

    /// Stores what came, and drops what belongs to no item or what nobody reads any more.
    mutating func settleDocument() throws(StoreFailure) {
        var kept = try documents.find(feed.id)
        if let document = commit.document { kept = try store(document, over: kept) }
        guard let kept else { return }
        if feed.items + feed.gone == 0 { return try drop(kept) }
        guard kept.old != nil, let since = kept.replacedAt else { return }
        let age = commit.at - since
        // A clock that was set back must not keep it for ever.
        if age >= DocumentTable.grace || age < .zero { try documents.forgetOld(kept, feed: feed.id) }
    }

    private mutating func store(
        _ document: ReceivedDocument, over kept: DocumentTable.Kept?
    ) throws(StoreFailure) -> DocumentTable.Kept? {
        if let kept, kept.hash == document.hash {
            if kept.isDescribed(as: document) { return kept }
            return try documents.describe(kept, anew: document, feed: feed.id)
        }
        let others = feed.bytes - (kept?.bytes ?? 0)
        guard others + document.bytes.count <= commit.retention.bytes.bytes else {
            feed.notes.isTrimmed = true
            // What was there is not what its item says any more.
            if let kept { try drop(kept) }
            return nil
        }
        feed.bytes = others + document.bytes.count
        return try documents.store(document, over: kept, number: feed.seq, at: commit.at, feed: feed.id)
    }

    private mutating func drop(_ kept: DocumentTable.Kept) throws(StoreFailure) {
        try documents.remove(feed: feed.id)
        feed.bytes -= kept.bytes
    }
}
