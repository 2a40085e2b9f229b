import RefreshCore

/// A document before the parser: trimmed, told apart from what is no XML at all, its charset as far as it shows.
struct FeedSource {
    let text: ArraySlice<UInt8>
    /// Whether the bytes are UTF-8, whatever their declaration says (refresh policy 2.9).
    let isUTF8: Bool
    /// Whether stray bytes in it are mistakes: no other charset is declared.
    let countsAsUTF8: Bool

    init(_ bytes: ArraySlice<UInt8>) throws(FormatFailure) {
        text = FeedSource.trimmed(bytes)
        guard let first = text.first else { throw .notAFeed(found: "an empty document") }
        // UTF-16 and UTF-32 show by their marks or by zero bytes: libxml2 knows them.
        let isWide = first >= 0xFE || text.prefix(4).contains(0)
        if !isWide { try FeedSource.check(text) }
        let label = isWide ? "utf-16" : FeedSource.declaredCharset(text)
        isUTF8 = !isWide && !label.hasPrefix("iso-2022") && UTF8Check.firstFault(in: text) == nil
        countsAsUTF8 = isUTF8 || label.isEmpty || label == "utf-8" || label == "utf8"
    }

    /// Whether a JSON object begins here: a feed that is no XML.
    static func isObject(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = trimmed(bytes)
        return text.first == JSONByte.openObject && !text.prefix(4).contains(0)
    }

    /// What stands behind a byte order mark and white space.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
        return start.drop { ASCII.isSpace($0) }
    }

    /// The text as it is read the second time.
    var repaired: [UInt8] {
        text.prefix(4).contains(0) ? Array(text) : XMLRepair.repaired(text, isUTF8: countsAsUTF8)
    }

    private static func check(_ text: ArraySlice<UInt8>) throws(FormatFailure) {
        switch text.first {
        case UInt8(ascii: "<"): break
        case UInt8(ascii: "{"), UInt8(ascii: "["): throw .notAFeed(found: "JSON")
        default: throw .notAFeed(found: "something that does not start with a tag")
        }
        let start = String(decoding: text.prefix(15), as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") {
            throw .notAFeed(found: "an HTML page")
        }
    }

    /// The charset of the XML declaration in lower case; empty where none is declared.
    private static func declaredCharset(_ text: ArraySlice<UInt8>) -> String {
        guard text.starts(with: "<?xml".utf8), let end = text.prefix(256).firstIndex(of: UInt8(ascii: ">"))
        else { return "" }
        let declaration = String(decoding: text[..<end], as: UTF8.self).lowercased()
        let parts = declaration.split { $0 == "=" || $0 == "\"" || $0 == "'" || $0 == " " || $0 == "?" }
        guard let name = parts.firstIndex(of: "encoding"), name + 1 < parts.count else { return "" }
        return String(parts[name + 1])
    }
}
