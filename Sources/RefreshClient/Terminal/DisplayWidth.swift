import RefreshCore

/// How many columns a text takes on a terminal (Unicode Standard Annex 11).
package enum DisplayWidth {
    /// Columns of `text`, which must be escaped already.
    package static func of(_ text: some StringProtocol) -> Int {
        // Most cells are plain ASCII.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// A cluster is as wide as its first scalar, unless a selector asks for the coloured picture.
    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if isWide(first) { return 2 }
        if character.unicodeScalars.contains("\u{FE0F}") && first.properties.isEmoji { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        if scalar.properties.isEmojiPresentation { return true }
        return wide.contains { $0.contains(scalar.value) }
    }

    /// Blocks of wide and full-width characters (EastAsianWidth.txt, W and F).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD,
        0x30000...0x3FFFD,
    ]

    /// The beginning of `text`, escaped, in at most `columns`; what does not fit ends in `…`.
    ///
    /// Reads no more of `text` than it shows.
    package static func fitted(_ text: some StringProtocol, columns: Int) -> String {
        var shown: [(text: String, width: Int)] = []
        var used = 0
        for character in text {
            let piece = SafeText.escaped(character)
            let width = of(piece)
            if used + width > columns { return cut(shown, used: used, columns: columns) }
            shown.append((piece, width))
            used += width
        }
        return shown.map(\.text).joined()
    }

    private static func cut(_ shown: [(text: String, width: Int)], used: Int, columns: Int) -> String {
        guard columns > 0 else { return "" }
        var shown = shown
        var used = used
        while used + 1 > columns, let last = shown.popLast() { used -= last.width }
        return shown.map(\.text).joined() + "…"
    }
}
