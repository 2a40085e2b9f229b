import RefreshCore
import RefreshStore

/// Pieces of change streams that were made lately, for the streams that come to the same places.
///
/// While a feed's head stands, what is told from a place on is the same for everybody. So one commit is written down
/// once, however many clients listen, as long as they keep up with each other.
final class StreamPieces {
    struct Place: Hashable {
        let feed: FeedID
        let head: FeedHead
        let start: ChangeStart
        let view: ItemView
        let format: StreamFormat
    }

    struct Piece {
        let bytes: [UInt8]
        /// What a client has heard of who has read it.
        let reached: Seq
    }

    /// Pieces held; each is about `ChangeStream.pieceBytes` long.
    static let capacity = 32

    private var pieces: [Place: Piece] = [:]
    /// The places in the order in which they came; the oldest at `oldest` once all are taken.
    private var order: [Place] = []
    private var oldest = 0

    subscript(place: Place) -> Piece? { pieces[place] }

    func keep(_ piece: Piece, at place: Place) {
        // A very long record is not held for those who may never come.
        guard piece.bytes.count <= 4 * ChangeStream.pieceBytes else { return }
        guard pieces.updateValue(piece, forKey: place) == nil else { return }
        if order.count < StreamPieces.capacity {
            order.append(place)
            return
        }
        pieces[order[oldest]] = nil
        order[oldest] = place
        oldest = (oldest + 1) % StreamPieces.capacity
    }

    /// Nobody listens any more.
    func clear() {
        guard !order.isEmpty else { return }
        pieces = [:]
        order = []
        oldest = 0
    }
}
