import RefreshCore

/// A document before the parser: in UTF-8, trimmed, told apart from what is no XML at all (refresh policy 2.9).
struct FeedSource {
    /// UTF-8, but for stray bytes that only the second reading mends.
    let text: ArraySlice<UInt8>
    /// Whether something stood before the first tag that has no place there.
    let isBuried: Bool

    init(_ bytes: ArraySlice<UInt8>, contentType: MediaType?) throws(FormatFailure) {
        var charset = CharsetDetector.detect(bytes: bytes, contentType: contentType, kind: .xml)
        // A text of UTF-8 with a few stray bytes stays one.
        if charset != .utf8, !charset.isWide, UTF8Share.prevails(in: bytes) { charset = .utf8 }
        let decoded = charset == .utf8 ? bytes : Transcoder.utf8(bytes, from: charset)[...]
        let trimmed = FeedSource.trimmed(decoded)
        guard let first = trimmed.first else { throw .notAFeed(found: "an empty document") }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { throw .notAFeed(found: "JSON") }
        guard let open = trimmed.prefix(FeedSource.longestRubbish).firstIndex(of: UInt8(ascii: "<")) else {
            throw .notAFeed(found: "something that does not start with a tag")
        }
        text = trimmed[open...]
        isBuried = open != trimmed.startIndex
    }

    /// How far the first tag is looked for.
    private static let longestRubbish = 4_096

    /// The text, in UTF-8, where a JSON object begins it: a feed that is no XML; nil for all others.
    static func object(_ bytes: PaddedBytes, contentType: MediaType?) -> PaddedBytes? {
        let start = bytes.content.prefix(16)
        guard start.contains(JSONByte.openObject) else { return nil }
        let isWide = start.contains(0)
        if !isWide, trimmed(bytes.content).first != JSONByte.openObject { return nil }
        if !isWide, UTF8Check.firstFault(in: bytes.content) == nil { return bytes }
        // JSON is UTF-8 by its standard; what is something else has to be guessed.
        let text = Transcoder.utf8(bytes.content, contentType: contentType, kind: .text)
        return trimmed(text[...]).first == JSONByte.openObject ? PaddedBytes(text) : nil
    }

    /// What stands behind a byte order mark and white space.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
        return start.drop { ASCII.isSpace($0) }
    }

    /// Whether this is a page and no feed, by how it starts.
    var isPage: Bool {
        let start = text.prefix(15).map(ASCII.lowercased)
        return start.starts(with: "<!doctype html".utf8) || start.starts(with: "<html".utf8)
    }

    /// The text as it is read the second time.
    var repaired: [UInt8] { XMLRepair.repaired(text) }
}
