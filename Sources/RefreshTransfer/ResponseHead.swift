import RefreshCore

/// Puts the lines of an answer's heads together; what counts is the last final one.
struct ResponseHead: Sendable {
    private enum Stage { case before, fields, done }

    /// 0 until a final status line has come.
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Bytes of all lines so far.
    private(set) var bytes = 0
    private var stage = Stage.before
    private var last: (name: [UInt8], value: [UInt8])?
    /// Whether an answer of 401 may be followed by another, to the same request with credentials.
    private let mayStartAgain: Bool

    init(mayStartAgain: Bool = false) { self.mayStartAgain = mayStartAgain }

    /// Whether the head has come to its end and is no interim answer.
    var isComplete: Bool { stage == .done && status >= 200 }

    /// Takes the next line, line feed included; true where it ends a final head.
    mutating func take(_ line: some Collection<UInt8>) -> Bool {
        bytes += line.count
        let text = Array(line.prefix { $0 != 0x0A && $0 != 0x0D })
        switch stage {
        case .before, .done:
            // Behind the last head stand only the trailers of a chunked body, which are not looked at.
            if text.starts(with: "HTTP/".utf8) && (status < 200 || status == 401 && mayStartAgain) {
                begin(text)
            }
        case .fields where text.isEmpty:
            finishField()
            stage = .done
            return isComplete
        case .fields: takeField(text)
        }
        return false
    }

    private mutating func begin(_ line: [UInt8]) {
        headers = HTTPHeaders()
        last = nil
        stage = .fields
        let words = line.split(separator: 0x20)
        status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
    }

    private mutating func takeField(_ line: [UInt8]) {
        if let first = line.first, first == 0x20 || first == 0x09 {
            // A folded line goes on with the one before it (RFC 9112, 5.2).
            last?.value += [0x20] + ResponseHead.trimmed(line[...])
            return
        }
        finishField()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        last = (Array(line[..<colon]), Array(ResponseHead.trimmed(line[(colon + 1)...])))
    }

    private mutating func finishField() {
        guard let field = last else { return }
        last = nil
        let name = String(decoding: field.name, as: UTF8.self)
        if let value = String(validating: field.value, as: UTF8.self) {
            headers.append(name, value)
        } else if !ResponseHead.isValidator(name) {
            // Bytes beyond ASCII meant Latin-1 once (RFC 9110, 5.5).
            headers.append(name, String(String.UnicodeScalarView(field.value.map { Unicode.Scalar($0) })))
        }
        // A validator that text cannot hold byte for byte cannot be echoed either: better none.
    }

    private static func isValidator(_ name: String) -> Bool {
        ["etag", "last-modified"].contains { ASCII.equalIgnoringCase($0.utf8, name.utf8) }
    }

    /// Without the spaces and tabs around a value, which are no part of it (RFC 9110, 5.5).
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return bytes[first...last]
    }
}
