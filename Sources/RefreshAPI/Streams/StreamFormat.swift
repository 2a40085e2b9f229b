import RefreshCore

/// How events are written one after another.
enum StreamFormat: Equatable {
    /// Server-sent events, as the HTML standard has them (9.2).
    case events
    /// One JSON object a line.
    case lines

    var mediaType: String {
        switch self {
        case .events: "text/event-stream"
        case .lines: "application/x-ndjson"
        }
    }

    /// What an `Accept` field asks for; nil: one answer, not a stream.
    init?(accept: [UInt8]?) {
        guard let accept else { return nil }
        for part in accept.split(separator: UInt8(ascii: ",")) {
            let type = ASCII.trimmed(part.prefix { $0 != UInt8(ascii: ";") })
            for format in [StreamFormat.events, .lines]
            where ASCII.equalIgnoringCase(type, format.mediaType.utf8) {
                self = format
                return
            }
        }
        return nil
    }

    enum Event: String {
        case change, state, changed, resync, bye

        var name: String { rawValue }
    }

    /// One event; `id` is what a client sends to go on behind it. `data` is JSON, which holds no line ends.
    func write(_ event: Event, id: String?, data: JSONText, to bytes: inout [UInt8]) {
        switch self {
        case .events:
            if let id { bytes.append(contentsOf: "id: \(id)\n".utf8) }
            bytes.append(contentsOf: "event: \(event.name)\ndata: ".utf8)
            bytes.append(contentsOf: data.bytes)
            bytes.append(contentsOf: "\n\n".utf8)
        case .lines:
            var line = JSONText(reserving: data.bytes.count + 128)
            line.object { line in
                line.member("event", event.name)
                if let id { line.member("id", id) }
                line.name("data")
                line.raw(data.bytes)
            }
            bytes.append(contentsOf: line.bytes)
            bytes.append(0x0A)
        }
    }

    /// Says nothing, so that both ends see that the other one is there.
    func heartbeat(to bytes: inout [UInt8]) {
        switch self {
        case .events: bytes.append(contentsOf: ":\n\n".utf8)
        case .lines: bytes.append(0x0A)
        }
    }
}
