import RefreshCore

/// Decides which charset a document is written in.
package enum CharsetDetector {
    package enum Kind: Sendable {
        /// Feeds and other XML.
        case xml
        case html
        /// CSV and other text without a declaration.
        case text
    }

    /// The charset of `bytes`.
    ///
    /// For XML and text (refresh policy 2.9): byte order mark; zero bytes around the first character; UTF-8 where the
    /// bytes are valid, but for a label of ISO-2022; Content-Type; declaration; a guess; windows-1252. HTML asks
    /// Content-Type and declaration before it looks at validity, as browsers do.
    package static func detect(bytes: ArraySlice<UInt8>, contentType: MediaType?, kind: Kind) -> Charset {
        if let marked = mark(of: bytes)?.charset { return marked }
        if let wide = wide(bytes, isMarkup: kind != .text) { return wide }
        let declared = kind == .text ? nil : declaration(of: bytes, kind)
        // Zero bytes would have shown a wide charset in markup.
        let header = contentType?.charset.flatMap { Charset(label: $0) }
            .flatMap { $0.isWide && kind != .text ? nil : $0 }
        if kind == .html, let told = header ?? declared { return told }
        if let told = header ?? declared, told.isSevenBit { return told }
        if UTF8Check.firstFault(in: bytes) == nil { return .utf8 }
        return header ?? declared ?? guess(bytes)
    }

    /// The charset of a byte order mark at the start, and how long that is.
    static func mark(of bytes: ArraySlice<UInt8>) -> (charset: Charset, length: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LE, 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BE, 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
        return nil
    }

    private static func declaration(of bytes: ArraySlice<UInt8>, _ kind: Kind) -> Charset? {
        if kind == .html { return HTMLPrescan.charset(of: bytes) }
        return XMLDeclaration.charset(of: bytes.drop { ASCII.isSpace($0) })
    }

    private static func guess(_ bytes: ArraySlice<UInt8>) -> Charset {
        guard let guess = CharsetGuess.charset(of: bytes), !guess.isWide, guess != .utf8 else {
            return .windows1252
        }
        return guess
    }

    // MARK: - Zero bytes

    /// How many bytes are looked at for zeros.
    private static let window = 256

    private static func wide(_ bytes: ArraySlice<UInt8>, isMarkup: Bool) -> Charset? {
        let start = Array(bytes.prefix(window))
        guard start.contains(0) else { return nil }
        return isMarkup ? wideMarkup(start) : wideText(start)
    }

    /// By the zeros around the first `<`.
    private static func wideMarkup(_ bytes: [UInt8]) -> Charset? {
        guard let at = bytes.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        func isZero(_ places: Int...) -> Bool {
            places.allSatisfy { bytes.indices.contains(at + $0) && bytes[at + $0] == 0 }
        }
        if at % 4 == 0, isZero(1, 2, 3) { return .utf32LE }
        if at % 4 == 3, isZero(-1, -2, -3) { return .utf32BE }
        if at % 2 == 0, isZero(1) { return .utf16LE }
        if at % 2 == 1, isZero(-1) { return .utf16BE }
        return nil
    }

    /// By where most of the zeros are: text has ASCII in it, and zero characters have no place there.
    private static func wideText(_ bytes: [UInt8]) -> Charset? {
        var zeros = [0, 0, 0, 0]
        for (at, byte) in bytes.enumerated() where byte == 0 { zeros[at % 4] += 1 }
        let quarter = max(1, bytes.count / 4)
        // Of each four bytes of UTF-32, one is always zero, and a second one nearly always.
        if zeros[3] == quarter, zeros[2] == quarter, zeros[0] == 0 { return .utf32LE }
        if zeros[0] == quarter, zeros[1] == quarter, zeros[3] == 0 { return .utf32BE }
        let even = zeros[0] + zeros[2]
        let odd = zeros[1] + zeros[3]
        if even == 0, odd * 2 >= quarter { return .utf16LE }
        if odd == 0, even * 2 >= quarter { return .utf16BE }
        return nil
    }
}
