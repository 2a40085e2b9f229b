import RefreshCore
import RefreshFormats

/// The body of a request: an object; nothing at all stands for an empty one.
struct JSONBody {
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

    func each(_ visit: (JSONBody, String, JSONNode) throws(Problem) -> Void) throws(Problem) {
        var seen: Set<String> = []
        for (name, value) in document.members(of: document.root) {
            let name = document.text(name) ?? ""
            guard seen.insert(name).inserted else {
                throw Problem(
                    .badBody, "\"\(name)\" stands more than once", pointer: JSONBody.pointer(name))
            }
            try visit(self, name, value)
        }
    }

    /// What a member is answered that nobody knows.
    static func unknown(_ name: String, known: [String]) -> Problem {
        let words = known.isEmpty ? "none is known" : "known are \(known.joined(separator: ", "))"
        return Problem(
            .badBody, "unknown member \"\(SafeText.short(name))\"; \(words)", pointer: pointer(name))
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

    func text(_ value: JSONNode, _ name: String) throws(Problem) -> String {
        guard let text = document.text(value) else {
            throw Problem(.badBody, "\"\(name)\" must be text", pointer: "/\(name)")
        }
        return text
    }

    func texts(_ value: JSONNode, _ name: String) throws(Problem) -> [String] {
        let texts = document.elements(of: value).compactMap { document.text($0) }
        guard value.kind == .array, texts.count == document.count(of: value),
            texts.count <= Endpoints.mostFields, texts.allSatisfy({ !$0.isEmpty })
        else {
            throw Problem(
                .badBody, "\"\(name)\" must be a list of names, \(Endpoints.mostFields) at most",
                pointer: "/\(name)")
        }
        return texts
    }

    func number(_ value: JSONNode, _ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = document.int64(value).map(Int.init), range.contains(number) else {
            throw Problem(
                .badBody,
                "\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound)",
                pointer: "/\(name)")
        }
        return number
    }
}
