import CXML2
import RefreshCore

/// XPath 1.0 expressions of a configuration: what they may be.
package enum XPath {
    /// Why a text is no expression that is evaluated.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which the fault was seen.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String
    }

    /// Bytes of an expression, and brackets within each other.
    private static let limits = (bytes: 4_096, depth: 64)

    /// What is wrong with `text`, or nil. Everything that can be known without a document is looked at: grammar,
    /// prefixes, functions and the number of their arguments. Variables have no values here, so there are none.
    package static func check(_ text: String, namespaces: [Namespace]) -> Failure? {
        guard text.utf8.count <= limits.bytes else {
            return Failure(offset: limits.bytes, message: "an XPath has \(limits.bytes) bytes at most")
        }
        if let zero = text.utf8.firstIndex(of: 0) {
            return Failure(
                offset: text.utf8.distance(from: text.startIndex, to: zero), message: "a zero byte")
        }
        do throws(Failure) {
            let tokens = try XPathLexer.tokens(of: text)
            guard !tokens.isEmpty else { throw Failure(offset: 0, message: "an empty XPath") }
            try checkNames(tokens, prefixes: Set(namespaces.map(\.prefix)).union(["xml"]))
            try checkCalls(tokens)
            guard let context = XPathContext(namespaces: namespaces) else { return nil }
            try context.check(text)
            return nil
        } catch {
            return error
        }
    }

    private static func checkNames(
        _ tokens: [XPathLexer.Token], prefixes: Set<String>
    ) throws(Failure) {
        for token in tokens {
            if token.kind == .variable {
                throw Failure(
                    offset: token.offset,
                    message: "there are no variables here, so \(token.text) means nothing")
            }
            guard token.kind == .name, let colon = token.text.firstIndex(of: ":") else { continue }
            let prefix = String(token.text[..<colon])
            if !prefixes.contains(prefix) {
                throw Failure(
                    offset: token.offset,
                    message: "the prefix \"\(prefix)\" is not in namespaces\(suggestion(prefix, prefixes))")
            }
        }
    }

    // MARK: - Functions

    /// The functions of XPath 1.0, 4, and how many arguments they take.
    private static let functions: [String: ClosedRange<Int>] = [
        "last": 0...0, "position": 0...0, "count": 1...1, "id": 1...1, "local-name": 0...1,
        "namespace-uri": 0...1, "name": 0...1, "string": 0...1, "concat": 2...Int.max, "starts-with": 2...2,
        "contains": 2...2, "substring-before": 2...2, "substring-after": 2...2, "substring": 2...3,
        "string-length": 0...1, "normalize-space": 0...1, "translate": 3...3, "boolean": 1...1, "not": 1...1,
        "true": 0...0, "false": 0...0, "lang": 1...1, "number": 0...1, "sum": 1...1, "floor": 1...1,
        "ceiling": 1...1, "round": 1...1,
    ]

    /// Tests of what a node is look like calls.
    private static let nodeTests: Set<String> = ["comment", "text", "processing-instruction", "node"]

    private struct Bracket {
        let call: XPathLexer.Token?
        var commas = 0
        var isEmpty = true
    }

    /// Whether each function is known and gets the arguments that it needs.
    private static func checkCalls(_ tokens: [XPathLexer.Token]) throws(Failure) {
        var open: [Bracket] = []
        var call: XPathLexer.Token?
        for token in tokens {
            if token.kind == .symbol, token.text == ")" || token.text == "]" {
                if let closed = open.popLast() { try check(closed) }
            } else if !open.isEmpty {
                open[open.count - 1].isEmpty = false
            }
            if token.kind == .symbol, token.text == "(" || token.text == "[" {
                guard open.count < limits.depth else {
                    throw Failure(offset: token.offset, message: "more than \(limits.depth) brackets deep")
                }
                open.append(Bracket(call: call))
            } else if token.kind == .symbol, token.text == ",", !open.isEmpty {
                open[open.count - 1].commas += 1
            }
            call = token.isCall && !nodeTests.contains(token.text) ? token : nil
            if let call, functions[call.text] == nil {
                throw Failure(
                    offset: call.offset,
                    message: "XPath 1.0 has no function \"\(call.text)\""
                        + suggestion(call.text, Set(functions.keys)))
            }
        }
    }

    private static func check(_ bracket: Bracket) throws(Failure) {
        guard let call = bracket.call, let allowed = functions[call.text] else { return }
        let count = bracket.isEmpty ? 0 : bracket.commas + 1
        if !allowed.contains(count) {
            let wanted =
                allowed.upperBound == Int.max
                ? "at least \(allowed.lowerBound)"
                : allowed.lowerBound == allowed.upperBound
                    ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
            throw Failure(
                offset: call.offset, message: "\(call.text)() takes \(wanted) arguments, not \(count)")
        }
    }

    private static func suggestion(_ word: String, _ known: Set<String>) -> String {
        ClosestMatch.suggestion(for: word, among: known.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
    }

    // MARK: - Paths

    /// The path without its last step, where that is one of a child: what a list without rows must still have. Nil
    /// where the expression is of another shape.
    static func parent(of text: String) -> String? {
        guard let tokens = try? XPathLexer.tokens(of: text) else { return nil }
        var depth = 0
        var slash: Int?
        for token in tokens where token.kind == .symbol {
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "/" where depth == 0: slash = token.offset
            case "//" where depth == 0: slash = nil
            case ".", "..", "@", "::", "*": break
            default: if depth == 0 { return nil }
            }
        }
        guard let slash, slash > 0 else { return nil }
        return String(decoding: Array(text.utf8)[..<slash], as: UTF8.self)
    }
}
