import RefreshCore

/// What flows through a stream: a position in what the daemon holds anyway, read on when the socket takes more. So
/// nothing is kept for a slow client but the piece that is being written.
protocol StreamSource {
    var format: StreamFormat { get }

    /// Whether a call of `next` would bring something.
    func hasNews(_ endpoints: Endpoints) -> Bool

    /// The next piece.
    mutating func next(_ endpoints: Endpoints, at now: Moment) -> StreamPiece

    /// The last words of a daemon that stops.
    func bye() -> [UInt8]
}

enum StreamPiece: Equatable {
    case bytes([UInt8])
    /// The client has everything.
    case nothing
    /// The stream ends with these bytes.
    case end([UInt8])
}

extension StreamSource {
    func bye() -> [UInt8] { farewell(.bye, reason: "stopping") }

    func farewell(_ event: StreamFormat.Event, reason: String) -> [UInt8] {
        var data = JSONText()
        data.object { $0.member("reason", reason) }
        var bytes: [UInt8] = []
        format.write(event, id: nil, data: data, to: &bytes)
        return bytes
    }
}
