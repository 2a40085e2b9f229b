import RefreshCore
import RefreshTransfer

/// What a pass wants done next; exactly one thing at a time.
package enum PassEffect: Sendable {
    /// Ask, and hand the answer or the failure in. After the first request the origin's turn comes first.
    case ask(TransferRequest)
    /// The same, not before so long has passed.
    ///
    /// - isAsked: whether the upstream said so, and not our own patience.
    case pause(Duration, isAsked: Bool, then: TransferRequest)
    /// Let the feed's program read this, and hand its output or the failure in.
    case pipe(PaddedBytes)
    /// Store this, then say so.
    case store(PassPage)
    /// The pass is over.
    case finish(PassEnd)
}

/// What one page brings into the store, with the checkpoint that goes with it (semantics U2).
package struct PassPage: Sendable {
    /// Nil where only the checkpoint moves.
    package var records: RecordPage?
    /// Keys that the upstream lists as deleted.
    package var deleted: [RecordKey] = []
    package var checkpoint: Checkpoint?
    /// Rows that it may repeat of the page before, since they had to be asked for twice (semantics U15).
    package var repeats = 0
    /// Of a syndication feed: what the records' keys are made of.
    package var keyLevel: KeyLevel?
    /// Of an opaque document: its bytes.
    package var document: ReceivedDocument?
}

package enum PassEnd: Sendable {
    case done(PassDone)
    /// What was stored before stays; the checkpoint is the one of the last page that was.
    case failed(RefreshFailure, checkpoint: Checkpoint?)
}

/// A pass that went well.
package struct PassDone: Sendable {
    /// The last page; nil where nothing was read since nothing is new.
    package var page: PassPage?
    /// Whether everything that the upstream lists was asked for and read to its proven end.
    package var isComplete: Bool
    /// Why absence means nothing, although the end was reached (semantics U14).
    package var doubt: String?
    /// Whether the pass went on where an earlier one was interrupted, so that it has not met every row itself.
    package var isResumed = false
    /// Whether all was read that was asked for, and nothing odd was met.
    package var isWhole: Bool
    /// Whether it told all that is new since the last pass.
    package var isDelta = false
    package var report: PassReport
    package var stop: PageStop?
}

/// What happened to one page, for who tries a feed out.
package struct PageNote: Sendable, Equatable {
    package var method: String
    /// Without credentials, which are not known here.
    package var url: String
    package var body: String?
    package var status: Int?
    package var rates: RateReading?
    /// Rows as the upstream sent them, and after `where`.
    package var rows: Int?
    package var kept: Int?
    package var rejected: Int?
    package var next: PagePosition?
    package var stop: PageStop?
    package var failure: RefreshFailure?

    init(_ request: TransferRequest) {
        method = request.method
        url = request.url.description
        body = request.body.map { String(decoding: $0.prefix(2_000), as: UTF8.self) }
    }
}
