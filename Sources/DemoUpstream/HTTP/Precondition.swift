import RefreshCore

/// Whether a client already holds what it asks for (RFC 9110, 13.1.2, 13.1.3 and 13.2.2).
enum Precondition {
    /// True where the answer is 304.
    static func holds(_ headers: HTTPHeaders, _ document: Document) -> Bool {
        if let tags = headers.first("if-none-match") {
            // With a tag given, dates do not count.
            return tags == "*" || isListed(document.entityTag, in: tags)
        }
        guard let since = headers.first("if-modified-since"), let changed = document.changed,
            let held = Timestamp(httpDate: since.utf8)
        else { return false }
        return changed.wholeSeconds <= held.wholeSeconds
    }

    /// Our tags hold no comma, so a list can be cut at commas: a foreign tag cut in two equals none of ours.
    private static func isListed(_ tag: String, in list: String) -> Bool {
        list.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let given = ASCII.trimmed(part)
            // The comparison is the weak one: `W/"a"` stands for `"a"`.
            let opaque = given.starts(with: "W/".utf8) ? given.dropFirst(2) : given
            return opaque.elementsEqual(tag.utf8)
        }
    }
}
