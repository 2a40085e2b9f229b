import RefreshCore
import RefreshFormats

/// Asking for a refresh.
extension Endpoints {
    static let longestDeadline: Duration = .seconds(60)
    static let usualDeadline: Duration = .seconds(5)

    func refresh(_ call: Call) throws(Problem) -> Reply {
        let feed = try feed(call)
        var mode = RefreshMode.ifStale
        var acceptDrop = false
        var waits = false
        var deadline = Endpoints.usualDeadline
        try RefreshBody(call.body).each { body, name, value throws(Problem) in
            switch name {
            case "mode": mode = try body.mode(value)
            case "wait": waits = try body.waits(value)
            case "deadline_ms": deadline = try body.deadline(value)
            case "accept_drop": acceptDrop = try body.flag(value, name)
            default:
                throw Problem(
                    .badBody, "unknown member \"\(name)\"; known are mode, wait, deadline_ms, accept_drop",
                    pointer: RefreshBody.pointer(name))
            }
        }
        return .errand(
            .refresh(feed.feed, mode, acceptDrop: acceptDrop), wait: waits ? deadline : nil)
    }
}

/// The body of a wish for a refresh: an object; nothing at all stands for an empty one.
private struct RefreshBody {
    private let document: JSONDocument

    init(_ bytes: [UInt8]) throws(Problem) {
        do {
            let isBlank = bytes.allSatisfy(ASCII.isSpace)
            document = try JSONDocument(parsing: PaddedBytes(isBlank ? Array("{}".utf8) : bytes), depth: 64)
        } catch {
            throw Problem(.badBody, error.detail, pointer: "")
        }
        guard document.root.kind == .object else {
            throw Problem(.badBody, "the body must be a JSON object", pointer: "")
        }
    }

    func each(_ visit: (RefreshBody, String, JSONNode) throws(Problem) -> Void) throws(Problem) {
        var seen: Set<String> = []
        for (name, value) in document.members(of: document.root) {
            let name = document.text(name) ?? ""
            guard seen.insert(name).inserted else {
                throw Problem(
                    .badBody, "\"\(name)\" stands more than once", pointer: RefreshBody.pointer(name))
            }
            try visit(self, name, value)
        }
    }

    /// The pointer to a member (RFC 6901, 3).
    static func pointer(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "/") { text, scalar in
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    func mode(_ value: JSONNode) throws(Problem) -> RefreshMode {
        guard let mode = document.text(value).flatMap(RefreshMode.init(rawValue:)) else {
            let known = RefreshMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badBody, "\"mode\" must be one of \(known)", pointer: "/mode")
        }
        return mode
    }

    func waits(_ value: JSONNode) throws(Problem) -> Bool {
        switch document.text(value) {
        case "none": return false
        case "all": return true
        default: throw Problem(.badBody, "\"wait\" must be one of none, all", pointer: "/wait")
        }
    }

    func deadline(_ value: JSONNode) throws(Problem) -> Duration {
        let longest = Endpoints.longestDeadline.inMilliseconds
        guard let milliseconds = document.int64(value), (1...longest).contains(milliseconds) else {
            throw Problem(
                .badBody, "\"deadline_ms\" must be a whole number from 1 to \(longest)",
                pointer: "/deadline_ms")
        }
        return .milliseconds(milliseconds)
    }

    func flag(_ value: JSONNode, _ name: String) throws(Problem) -> Bool {
        guard let flag = document.bool(value) else {
            throw Problem(.badBody, "\"\(name)\" must be true or false", pointer: "/\(name)")
        }
        return flag
    }
}
