import RefreshCore

/// Cuts an XPath expression into its tokens (XPath 1.0, 3.7), with the rules that tell names from operators.
struct XPathLexer {
    enum Kind: Equatable {
        /// `(`, `[`, `|`, `//` and their like, names of operators included.
        case symbol
        case literal, number
        /// A name of nodes, functions or axes; `*` is none.
        case name
        case variable
    }

    struct Token: Equatable {
        let kind: Kind
        let text: String
        let offset: Int
        /// Whether a bracket follows: a function or a test of a node's type.
        var isCall = false
    }

    private let bytes: [UInt8]
    private var at = 0
    private var tokens: [Token] = []

    /// The tokens of `text`, or the byte of what is none.
    static func tokens(of text: String) throws(XPath.Failure) -> [Token] {
        var lexer = XPathLexer(bytes: Array(text.utf8))
        while try lexer.step() {}
        return lexer.tokens
    }

    private mutating func step() throws(XPath.Failure) -> Bool {
        passSpace()
        guard at < bytes.count else { return false }
        let start = at
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try literal(byte)
        case UInt8(ascii: "$"):
            at += 1
            passName()
            add(.variable, from: start)
        case _ where ASCII.isDigit(byte), UInt8(ascii: ".") where ASCII.isDigit(self[1]):
            while ASCII.isDigit(self[0]) || self[0] == UInt8(ascii: ".") { at += 1 }
            add(.number, from: start)
        case _ where XPathLexer.isNameStart(byte):
            passName()
            addName(from: start)
        default:
            at += XPathLexer.symbolLength(byte, self[1])
            add(.symbol, from: start)
        }
        return true
    }

    private subscript(_ offset: Int) -> UInt8 { at + offset < bytes.count ? bytes[at + offset] : 0 }

    private mutating func passSpace() {
        while ASCII.isSpace(self[0]) { at += 1 }
    }

    /// A name with its prefix, or with `:*` behind that.
    private mutating func passName() {
        while XPathLexer.isNameByte(self[0]) { at += 1 }
        guard self[0] == UInt8(ascii: ":"), XPathLexer.isNameStart(self[1]) || self[1] == UInt8(ascii: "*")
        else {
            return
        }
        at += 2
        while XPathLexer.isNameByte(self[0]) { at += 1 }
    }

    private mutating func addName(from start: Int) {
        let isOperator = ["and", "or", "div", "mod"].contains(text(from: start)) && endsOperand
        let end = at
        passSpace()
        let isCall = self[0] == UInt8(ascii: "(") && !isOperator
        at = end
        add(isOperator ? .symbol : .name, from: start, isCall: isCall)
    }

    private mutating func literal(_ quote: UInt8) throws(XPath.Failure) {
        let start = at
        at += 1
        while at < bytes.count, bytes[at] != quote { at += 1 }
        guard at < bytes.count else {
            throw XPath.Failure(offset: start, message: "a text without its closing quote")
        }
        at += 1
        add(.literal, from: start)
    }

    /// Whether what stands before can be the left side of an operator.
    private var endsOperand: Bool {
        guard let last = tokens.last else { return false }
        if last.kind != .symbol { return true }
        return [")", "]", ".", ".."].contains(last.text) || last.text == "*" && isWildcard(tokens.count - 1)
    }

    /// Whether the asterisk at `index` stands for every name and does not multiply.
    private func isWildcard(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let before = tokens[index - 1]
        return before.kind == .symbol && ![")", "]", ".", ".."].contains(before.text)
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<at], as: UTF8.self) }

    private mutating func add(_ kind: Kind, from start: Int, isCall: Bool = false) {
        tokens.append(Token(kind: kind, text: text(from: start), offset: start, isCall: isCall))
    }

    private static func symbolLength(_ first: UInt8, _ second: UInt8) -> Int {
        switch (first, second) {
        case (UInt8(ascii: "/"), UInt8(ascii: "/")), (UInt8(ascii: "."), UInt8(ascii: ".")),
            (UInt8(ascii: ":"), UInt8(ascii: ":")), (UInt8(ascii: "!"), UInt8(ascii: "=")),
            (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: ">"), UInt8(ascii: "=")):
            2
        default: 1
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
