import RefreshCore

/// What a client that wants to go on in a list sends (semantics P3).
package struct MoreRequest: Sendable {
    package var list: ListRequest
    /// Everything up to here the client holds; nil asks for the page alone (P4).
    package var since: SyncKey?
    package var view: ItemView

    package init(list: ListRequest, since: SyncKey? = nil, view: ItemView = .plain) {
        self.list = list
        self.since = since
        self.view = view
    }
}

/// How such an answer ended.
package struct MoreEnd: Sendable, Equatable {
    package var head: FeedHead
    /// What to send the next time; nil where none was sent.
    package var key: SyncKey?
    package var changes: ChangesEnd?
    package var list = ListEnd()
    /// The changes alone have filled the answer: the page comes with a later one.
    package var isPageDeferred = false
}

extension StoreReader {
    /// First what has changed since the client's key, then the next page, out of one state of the database (P3): a
    /// client that applies both in this order misses nothing and holds nothing twice.
    ///
    /// Nil where nothing is stored of the feed; a key that cannot be answered shows nothing and is told why.
    package func more(
        of feed: FeedID, _ request: MoreRequest, change: (ItemChange) -> Bool, item: (ItemRow) -> Bool
    ) throws(StoreFailure) -> Result<MoreEnd, Resync>? {
        guard let head = try head(of: feed) else { return nil }
        var end = MoreEnd(head: head)
        if let since = request.since {
            if let resync = head.resync(since) { return .failure(resync) }
            let changes = try tellChanges(
                of: feed, since: since.seq, limit: request.list.limit, view: request.view, change)
            end.changes = changes
            end.key = SyncKey(epoch: head.epoch, seq: changes.reached)
            if changes.hasMore {
                end.isPageDeferred = true
                end.list = ListEnd(place: request.list.place, hasMore: true)
                return .success(end)
            }
        }
        end.list = try page(of: feed, request.list, item)
        return .success(end)
    }
}
