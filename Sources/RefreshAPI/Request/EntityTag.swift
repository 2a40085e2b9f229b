import RefreshCore

/// A weak entity tag (RFC 9110, 8.8.3).
struct EntityTag: Equatable {
    /// As it stands in the header.
    let text: String

    /// - Parameter opaque: letters, digits and marks that need no quoting.
    init(_ opaque: String) { text = "W/\"\(opaque)\"" }

    /// Whether an If-None-Match with `list` names this tag, compared weakly (RFC 9110, 13.1.2).
    func isNamed(in list: [UInt8]) -> Bool {
        let opaque = text.utf8.dropFirst(2)
        return list.split(separator: UInt8(ascii: ",")).contains { part in
            let tag = ASCII.trimmed(part)
            if tag.elementsEqual("*".utf8) { return true }
            return tag.starts(with: "W/".utf8)
                ? tag.dropFirst(2).elementsEqual(opaque) : tag.elementsEqual(opaque)
        }
    }
}
