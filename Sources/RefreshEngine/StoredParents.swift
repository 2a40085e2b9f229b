import CLinux
import RefreshAdapters
import RefreshCore
import RefreshStore

/// Where sub-passes get their parents' items from.
package protocol ParentSource: Sendable {
    /// The items that `reading` wants of the parent feed; nil where nothing was ever read of it.
    func parents(of feed: FeedID, _ reading: ParentReading) async throws(StoreFailure) -> ParentList?
}

/// The items that are stored, read on a thread of its own that ends with the reading.
package struct StoredParents: ParentSource {
    private let folder: String

    /// - Parameter folder: where a `Store` has its database.
    package init(folder: String) { self.folder = folder }

    package func parents(
        of feed: FeedID, _ reading: ParentReading
    ) async throws(StoreFailure) -> ParentList? {
        let folder = folder
        return try await withCheckedContinuation { continuation in
            StoredParents.onThread {
                do throws(StoreFailure) {
                    let list = try StoredParents.list(folder, feed, reading)
                    continuation.resume(returning: Result<ParentList?, StoreFailure>.success(list))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }.get()
    }

    private static func list(
        _ folder: String, _ feed: FeedID, _ reading: ParentReading
    ) throws(StoreFailure) -> ParentList? {
        let reader = try StoreReader(folder: folder)
        defer { reader.endRound() }
        guard let head = try reader.head(of: feed), head.seq > 0 else { return nil }
        var items: [ParentItem] = []
        var lastDeletion: Seq = 0
        try reader.changes(of: feed, since: 0) { row in
            let body = unsafe Array(row.body)
            if row.deleted != nil || row.isGone {
                lastDeletion = max(lastDeletion, row.seq)
            } else if let fields = reading.fields(of: body) {
                items.append(ParentItem(createdSeq: row.createdSeq, seq: row.seq, fields: fields))
            }
            return true
        }
        // What was purged is gone as well.
        return ParentList(
            epoch: head.epoch.number, seq: head.seq, lastDeletion: max(lastDeletion, head.floor), items: items
        )
    }

    /// Runs `work`, which may block, off the pool.
    private static func onThread(_ work: @escaping @Sendable () -> Void) {
        let box = unsafe Unmanaged.passRetained(ThreadWork(work))
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, runThreadWork, box.toOpaque()) == 0 else {
            // Slow is better than never.
            unsafe box.takeRetainedValue().body()
            return
        }
        // It fails only for a thread that is not there.
        _ = pthread_detach(thread)
    }
}

private final class ThreadWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
    }
    return nil
}
