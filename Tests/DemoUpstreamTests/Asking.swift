import RefreshCore

@testable import DemoUpstream

/// What came back for one request: its status, its head as text, its body.
struct Heard {
    let status: Int?
    let head: String
    let body: String
    let delay: Duration
    let isOver: Bool

    init(_ delivery: Conversation.Delivery, isOver: Bool) {
        let text = String(decoding: delivery.bytes, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = parts.first.map(String.init) ?? ""
        body = parts.count > 1 ? String(parts[1]) : ""
        status = Int(head.dropFirst(9).prefix(3))
        delay = delivery.delay
        self.isOver = isOver
    }

    /// The string in the body's first member of this name; enough for tokens, which need no escapes.
    func string(_ name: String) -> String? { body.firstString(of: name) }

    func has(_ line: String) -> Bool { "\(head)\r\n".contains("\r\n\(line)\r\n") }
}

extension String {
    func firstString(of name: String) -> String? {
        guard let start = firstRange(of: "\"\(name)\":\"")?.upperBound else { return nil }
        return String(self[start...].prefix { $0 != "\"" })
    }
}

extension Upstream {
    /// One request on a connection of its own.
    mutating func hear(
        _ method: String = "GET", _ target: String, _ headers: [String] = [], at now: Timestamp
    ) -> Heard {
        var talk = Conversation()
        let lines = ["\(method) \(target) HTTP/1.1"] + headers
        let request = lines.map { "\($0)\r\n" }.joined() + "\r\n"
        let delivery = talk.receive(request.utf8, at: now, for: &self)
        return Heard(delivery, isOver: talk.isOver)
    }
}
