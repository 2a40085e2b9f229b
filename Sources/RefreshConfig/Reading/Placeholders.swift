import RefreshCore

/// The placeholders of the language, `$(name)`; `$$(` stands for `$(` itself.
enum Placeholders {
    enum Piece: Equatable {
        case literal(String)
        /// What stands between the parentheses, and the byte of its dollar sign.
        case placeholder(String, offset: Int)
        case unclosed(offset: Int)
    }

    /// `text` taken apart from left to right.
    static func pieces(of text: String) -> [Piece] {
        let bytes = Array(text.utf8)
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        func flush() {
            if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
        }
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if rest.starts(with: [0x24, 0x24, 0x28]) {
                literal.append(contentsOf: [0x24, 0x28])
                index += 3
            } else if rest.starts(with: [0x24, 0x28]) {
                flush()
                guard let end = rest.firstIndex(of: 0x29) else {
                    pieces.append(.unclosed(offset: index))
                    return pieces
                }
                let name = String(decoding: bytes[(index + 2)..<end], as: UTF8.self)
                pieces.append(.placeholder(name, offset: index))
                index = end + 1
            } else {
                literal.append(bytes[index])
                index += 1
            }
        }
        flush()
        return pieces
    }

    /// The name of a variable, of `var.NAME`.
    static func variable(_ name: String) -> String? {
        guard name.hasPrefix("var.") else { return nil }
        let variable = String(name.dropFirst(4))
        return isName(variable) ? variable : nil
    }

    static func placeholder(_ name: String) -> Placeholder? {
        switch name {
        case "since": .since
        case "until": .until
        case "cursor": .cursor
        case "page": .page
        case "offset": .offset
        case "size": .size
        case "ids": .ids
        case "now": .now
        case "op.id": .operationID
        case "op.key": .operationKey
        case "op.body": .operationBody
        default: field(name)
        }
    }

    private static func field(_ name: String) -> Placeholder? {
        if name.hasPrefix("parent."), name.utf8.count > 7 { return .parent(String(name.dropFirst(7))) }
        if name.hasPrefix("op.body."), name.utf8.count > 8 {
            return .operationField(String(name.dropFirst(8)))
        }
        return nil
    }

    /// As a message shows it.
    static func shown(_ name: String) -> String {
        guard name.hasSuffix(".") else { return "$(\(name))" }
        return name == "var." ? "$(var.NAME)" : "$(\(name)FIELD)"
    }

    /// Letters, digits and `_`, not beginning with a digit.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !ASCII.isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            ASCII.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
        }
    }
}
