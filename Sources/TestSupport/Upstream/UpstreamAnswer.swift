import RefreshCore

/// What the scripted upstream says, well or badly.
package struct UpstreamAnswer: Sendable {
    /// How the end of the body is told.
    package enum Framing: Sendable {
        case length
        /// A Content-Length that need not be true.
        case claiming(Int)
        case chunked(size: Int)
        /// By closing the connection.
        case untilClose
    }

    /// What happens within the body; offsets count its bytes.
    package enum Manner: Sendable {
        case plain
        /// The connection is closed after so many bytes.
        case cut(after: Int)
        /// The connection is reset after so many bytes.
        case reset(after: Int)
        /// Nothing more comes until the gate is opened, or for ever.
        case stall(after: Int, until: UpstreamGate?)
        /// Pieces of `size` bytes, each after one step of the gate.
        case drip(size: Int, on: UpstreamGate)
        /// Pieces of `size` bytes, each after a pause.
        case slow(size: Int, milliseconds: Int)
        /// The body again and again, for ever.
        case endless
    }

    /// The pieces that an answer is sent in.
    package enum Step: Sendable {
        case send([UInt8])
        case wait(UpstreamGate?)
        case pause(milliseconds: Int)
        case sendForever([UInt8])
        case hangUp
        case reset
    }

    package let status: Int
    package let headers: HTTPHeaders
    package let body: [UInt8]
    private var framing = Framing.length
    private var manner = Manner.plain
    private var script: [Step]?

    package init(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = HTTPHeaders(headers)
        self.body = body
    }

    package init(status: Int = 200, headers: [(String, String)] = [], text: String) {
        self.init(status: status, headers: headers, body: Array(text.utf8))
    }

    // MARK: - Variations

    package func framed(_ framing: Framing) -> UpstreamAnswer {
        var copy = self
        copy.framing = framing
        return copy
    }

    package func sent(_ manner: Manner) -> UpstreamAnswer {
        var copy = self
        copy.manner = manner
        return copy
    }

    /// Exactly these steps, head included; the connection is closed at the end.
    package static func raw(_ script: [Step]) -> UpstreamAnswer {
        var answer = UpstreamAnswer()
        answer.script = script + [.hangUp]
        return answer
    }

    package static func raw(_ text: String) -> UpstreamAnswer { raw([.send(Array(text.utf8))]) }

    /// The connection is closed without a word.
    package static let nothing = raw([])

    /// Nothing is said until the gate is opened; then the connection is closed.
    package static func silence(until gate: UpstreamGate? = nil) -> UpstreamAnswer { raw([.wait(gate)]) }

    package static func redirect(to location: String, status: Int = 302) -> UpstreamAnswer {
        UpstreamAnswer(status: status, headers: [("Location", location)])
    }

    /// A body without end, in chunks.
    package static func endless(headers: [(String, String)] = []) -> UpstreamAnswer {
        UpstreamAnswer(headers: headers, body: Array(repeating: 0x61, count: 65_536))
            .framed(.chunked(size: 65_536)).sent(.endless)
    }

    /// An answer whose head is longer than `bytes`.
    package static func hugeHead(bytes: Int) -> UpstreamAnswer {
        let line = String(repeating: "h", count: 1_000)
        let fields = (0...bytes / 1_000).map { ("X-Filler-\($0)", line) }
        return UpstreamAnswer(headers: fields, text: "behind a huge head")
    }

    /// A document with validators: 304 where `request` shows that it is known, else all of it (RFC 9110, 13.2.2).
    package static func document(
        _ body: [UInt8], type: String = "application/json", etag: String? = nil, lastModified: String? = nil,
        to request: UpstreamRequest
    ) -> UpstreamAnswer {
        var headers = [("Content-Type", type)]
        if let etag { headers.append(("ETag", etag)) }
        if let lastModified { headers.append(("Last-Modified", lastModified)) }
        if isKnown(etag: etag, lastModified: lastModified, to: request) {
            return UpstreamAnswer(status: 304, headers: headers)
        }
        return UpstreamAnswer(headers: headers, body: body)
    }

    private static func isKnown(etag: String?, lastModified: String?, to request: UpstreamRequest) -> Bool {
        if let asked = request.header("if-none-match") { return asked == etag }
        guard let asked = request.header("if-modified-since") else { return false }
        return asked == lastModified
    }

    // MARK: - On the wire

    /// Whether the connection is of no use afterwards.
    var closes: Bool {
        if case .untilClose = framing { return true }
        return ASCII.equalIgnoringCase((headers.first("connection") ?? "").utf8, "close".utf8)
    }

    /// The answer to a request of `method`, piece by piece.
    func steps(method: String) -> [Step] {
        if let script { return script }
        let hasBody = method != "HEAD" && status != 304 && status != 204 && status >= 200
        return [.send(head(hasBody: hasBody))] + (hasBody ? bodySteps() : [])
    }

    private func head(hasBody: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Scripted\r\n"
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        if hasBody {
            switch framing {
            case .length: text += "Content-Length: \(body.count)\r\n"
            case .claiming(let length): text += "Content-Length: \(length)\r\n"
            case .chunked: text += "Transfer-Encoding: chunked\r\n"
            case .untilClose: text += "Connection: close\r\n"
            }
        }
        return Array((text + "\r\n").utf8)
    }

    private func bodySteps() -> [Step] {
        if case .endless = manner { return [.sendForever(framed(body[...], last: false))] }
        var steps: [Step] = []
        for piece in pieces() {
            switch piece {
            case .send(let bytes): steps.append(.send(framed(bytes[...], last: false)))
            default: steps.append(piece)
            }
        }
        if case .chunked = framing { steps.append(.send(framed([], last: true))) }
        switch framing {
        case .claiming, .untilClose: steps.append(.hangUp)
        case .length, .chunked: break
        }
        return steps
    }

    private func pieces() -> [Step] {
        switch manner {
        case .plain, .endless: [.send(body)]
        case .cut(let count): [.send(Array(body.prefix(count))), .hangUp]
        case .reset(let count): [.send(Array(body.prefix(count))), .reset]
        case .stall(let count, let gate):
            [.send(Array(body.prefix(count))), .wait(gate), .send(Array(body.dropFirst(count)))]
        case .drip(let size, let gate): slices(size).flatMap { [.wait(gate), .send($0)] }
        case .slow(let size, let milliseconds):
            slices(size).flatMap { [.pause(milliseconds: milliseconds), .send($0)] }
        }
    }

    private func slices(_ size: Int) -> [[UInt8]] {
        stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
    }

    private func framed(_ bytes: ArraySlice<UInt8>, last: Bool) -> [UInt8] {
        guard case .chunked(let size) = framing else { return Array(bytes) }
        if last { return Array("0\r\n\r\n".utf8) }
        var framed: [UInt8] = []
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
            let chunk = bytes[start..<min(start + size, bytes.endIndex)]
            framed += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        return framed
    }
}
