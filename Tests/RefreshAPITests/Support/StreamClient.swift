import CLinux
import RefreshCore
import TestSupport

/// A client that listens to a stream; blocking, so used off the pool.
///
/// Unchecked: a test hands it to one thread at a time and waits for that thread before it goes on.
final class StreamClient: @unchecked Sendable {
    struct Event: Equatable {
        let name: String
        let id: String?
        let data: String
    }

    let raw: RawClient
    let status: Int
    let type: String?
    private var unread: [UInt8] = []
    /// How much of it was given out, and up to where the next end of an event was looked for.
    private var taken = 0
    private var looked = 0
    /// Comments and empty lines that came between events.
    private(set) var heartbeats = 0

    init?(_ path: String, _ target: String, accept: String = "text/event-stream", fields: String = "") {
        guard let raw = RawClient(path) else { return nil }
        self.raw = raw
        raw.say("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\(fields)\r\n")
        guard let head = raw.hear(head: true) else { return nil }
        status = head.status
        type = head.headers.first("Content-Type")
    }

    /// The next event; nil at the end of the stream, or after ten seconds of silence.
    func next() -> Event? {
        while true {
            while let block = block() {
                if let event = StreamClient.event(block) { return event }
                heartbeats += 1
            }
            guard fill() else { return nil }
        }
    }

    /// Waits for a sign of life that is no event.
    func heartbeat() -> Bool {
        let before = heartbeats
        while heartbeats == before {
            if let block = block() {
                guard StreamClient.event(block) == nil else { return false }
                heartbeats += 1
            } else if !fill() {
                return false
            }
        }
        return true
    }

    func events(_ count: Int) -> [Event] { (0..<count).compactMap { _ in next() } }

    /// The bytes of one event, which ends with an empty line.
    private func block() -> [UInt8]? {
        while looked + 1 < unread.count {
            if unread[looked] == 0x0A, unread[looked + 1] == 0x0A {
                let block = Array(unread[taken..<looked])
                looked += 2
                taken = looked
                return block
            }
            looked += 1
        }
        return nil
    }

    private static func event(_ block: [UInt8]) -> Event? {
        var fields: [String: String] = [:]
        for line in String(decoding: block, as: UTF8.self).split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { continue }
            fields[String(line[..<colon])] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return fields["event"].map { Event(name: $0, id: fields["id"], data: fields["data"] ?? "") }
    }

    /// Takes the next chunk of the body (RFC 9112, 7.1).
    private func fill() -> Bool {
        var line: [UInt8] = []
        while line.suffix(2) != [0x0D, 0x0A] {
            guard let byte = raw.read(1)?.first else { return false }
            line.append(byte)
        }
        guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16), size > 0,
            let chunk = raw.read(size), raw.read(2) != nil
        else { return false }
        unread.removeFirst(taken)
        looked -= taken
        taken = 0
        unread += chunk
        return true
    }
}
