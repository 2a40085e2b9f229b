import RefreshCore

/// A damaged database was salvaged: what is here is sound, and may not be all.
extension DurableStore {
    static let salvageDoubt = "salvage"

    /// What has happened and when, for people, until somebody says that all is well. As long as there is one, no new
    /// operation is to be taken: it could be the second of one that was lost.
    package func doubt() async throws(StoreFailure) -> (text: String, at: Timestamp)? {
        guard let pair = try await load(DurableStore.salvageDoubt, in: .doubts) else { return nil }
        return (String(decoding: pair.value, as: UTF8.self), pair.updatedAt)
    }

    /// Somebody has looked and says that all is well.
    package func settleDoubt() async throws(StoreFailure) {
        try await remove(DurableStore.salvageDoubt, in: .doubts)
    }
}
