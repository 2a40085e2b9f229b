import RefreshCore
import RefreshEngine
import RefreshStore

/// The changes of one feed from a sync key on, and its state whenever that turns (semantics K14).
struct ChangeStream: StreamSource {
    let format: StreamFormat
    private let feed: FeedID
    private let epoch: Epoch
    private let view: ItemView
    private var start: ChangeStart
    private var told: FeedState?

    /// What `state` events tell.
    private struct FeedState: Equatable {
        let state: FeedStatus.State
        let failure: FailureNote?

        init(_ status: FeedStatus) {
            state = status.state
            failure = status.progress.failure
        }
    }

    /// A piece ends when it has grown so far.
    static let pieceBytes = 64 * 1_024
    private static let pieceRows = 1_000

    init(
        _ feed: FeedID, from start: ChangeStart, epoch: Epoch, view: ItemView = .plain, format: StreamFormat
    ) {
        self.feed = feed
        self.start = start
        self.epoch = epoch
        self.view = view
        self.format = format
    }

    func hasNews(_ endpoints: Endpoints) -> Bool {
        guard let status = endpoints.board.status(of: feed), let head = try? endpoints.head(of: status) else {
            return true
        }
        return head.seq != start.seq || head.epoch != epoch || FeedState(status) != told
    }

    mutating func next(_ endpoints: Endpoints, at now: Moment) -> StreamPiece {
        guard let status = endpoints.board.status(of: feed) else {
            return .end(farewell(.bye, reason: "feed-removed"))
        }
        let head: FeedHead
        do {
            head = try endpoints.head(of: status)
        } catch {
            // It comes back with the key that it has, and gets an answer that says more.
            return .end(farewell(.bye, reason: error.code.rawValue))
        }
        if let reason = lost(head) { return .end(farewell(.resync, reason: reason)) }
        var bytes: [UInt8] = []
        tell(FeedState(status), to: &bytes)
        do {
            try read(head, endpoints, to: &bytes)
        } catch {
            return .end(bytes + farewell(.bye, reason: Problem.Code.cacheFailed.rawValue))
        }
        return bytes.isEmpty ? .nothing : .bytes(bytes)
    }

    // MARK: - Pieces

    /// Why the log can no longer tell what came after the position; nil: it can.
    private func lost(_ head: FeedHead) -> String? {
        if head.epoch != epoch { return "epoch" }
        if start.seq > head.seq { return "future" }
        let isBehind = start.floorAtStart.map { $0 != head.floor && start.seq < head.floor }
        return isBehind ?? (start.seq < head.floor) ? "horizon" : nil
    }

    private mutating func tell(_ state: FeedState, to bytes: inout [UInt8]) {
        guard state != told else { return }
        told = state
        var data = JSONText()
        data.object { data in
            data.member("feed", feed.name)
            data.member("state", state.state.rawValue)
            data.name("error")
            if let failure = state.failure {
                data.object { data in
                    data.member("class", failure.failure.class.rawValue)
                    data.member("code", failure.failure.code)
                    data.member("at", failure.at)
                }
            } else {
                data.null()
            }
        }
        format.write(.state, id: nil, data: data, to: &bytes)
    }

    private mutating func read(
        _ head: FeedHead, _ endpoints: Endpoints, to bytes: inout [UInt8]
    ) throws(Problem) {
        guard start.seq < head.seq else { return }
        let place = StreamPieces.Place(
            feed: feed, head: head, start: start, view: view, format: format)
        let piece: StreamPieces.Piece
        if let known = endpoints.pieces[place] {
            piece = known
        } else {
            piece = try make(head, endpoints)
            endpoints.pieces.keep(piece, at: place)
        }
        if bytes.isEmpty { bytes = piece.bytes } else { bytes += piece.bytes }
        start = start.moved(to: piece.reached)
    }

    private func make(_ head: FeedHead, _ endpoints: Endpoints) throws(Problem) -> StreamPieces.Piece {
        let text = ItemText(view, head, endpoints.times)
        var written: [UInt8] = []
        let end = try endpoints.read { () throws(StoreFailure) in
            try endpoints.reader.tellChanges(
                of: feed, since: start.seq, limit: ChangeStream.pieceRows, view: view,
                readsLists: start.floorAtStart == nil
            ) { change in
                guard written.count < ChangeStream.pieceBytes else { return false }
                let id = start.moved(to: change.row.seq).next(
                    change.row.seq, feed: feed, head: head, view: view)
                var data = unsafe JSONText(reserving: change.row.body.count + ItemText.overhead)
                text.write(change, to: &data)
                format.write(.change, id: id, data: data, to: &written)
                return true
            }
        }
        return StreamPieces.Piece(bytes: written, reached: end.reached)
    }
}

extension ChangeStart {
    /// The same way, further on.
    func moved(to seq: Seq) -> ChangeStart { ChangeStart(seq: seq, floorAtStart: floorAtStart) }
}
