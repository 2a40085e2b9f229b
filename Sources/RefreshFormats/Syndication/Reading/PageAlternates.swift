import RefreshCore

/// The feeds that an HTML page names: `<link rel="alternate" type="application/rss+xml" href="…">`.
package enum PageAlternates {
    private static let most = 5
    /// How far into a page its head is looked for.
    private static let window = 1 << 18
    private static let types = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    ].map { Array($0.utf8) }

    /// What was found instead of a feed, for the message.
    static func found(in page: ArraySlice<UInt8>, base: WebURL?) -> String {
        let addresses = addresses(in: page.prefix(window), base: base)
        if addresses.isEmpty { return "an HTML page" }
        return "an HTML page, which links to \(addresses.joined(separator: ", "))"
    }

    /// Their addresses, absolute where `base` is known.
    package static func addresses(in page: ArraySlice<UInt8>, base: WebURL?) -> [String] {
        let base = LinkBase(document: base)
        var addresses: [String] = []
        var rest = page
        while let open = rest.firstIndex(of: UInt8(ascii: "<")), addresses.count < most {
            rest = rest[(open + 1)...]
            guard ASCII.equalIgnoringCase(rest.prefix(4), "link".utf8), let next = rest.dropFirst(4).first,
                ASCII.isSpace(next)
            else { continue }
            let tag = rest.dropFirst(4).prefix { $0 != UInt8(ascii: ">") }
            rest = rest[tag.endIndex...]
            guard let address = address(in: tag) else { continue }
            let text = String(decoding: base.absolute(address), as: UTF8.self)
            if !text.isEmpty, !addresses.contains(text) { addresses.append(text) }
        }
        return addresses
    }

    private static func address(in tag: ArraySlice<UInt8>) -> [UInt8]? {
        var isAlternate = false
        var isFeed = false
        var address: [UInt8]?
        var rest = tag
        while let (name, value) = attribute(&rest) {
            switch String(decoding: name, as: UTF8.self) {
            case "rel":
                isAlternate = value.split(whereSeparator: ASCII.isSpace).contains {
                    ASCII.equalIgnoringCase($0, "alternate".utf8)
                }
            case "type": isFeed = types.contains { ASCII.equalIgnoringCase($0, value) }
            case "href": address = value
            default: break
            }
        }
        return isAlternate && isFeed ? address : nil
    }

    /// The next attribute of a tag, its name in lower case.
    private static func attribute(_ rest: inout ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8])? {
        let equals = UInt8(ascii: "=")
        rest = rest.drop { ASCII.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == equals }
        let name = rest.prefix { !ASCII.isSpace($0) && $0 != equals }
        if name.isEmpty { return nil }
        rest = rest[name.endIndex...].drop { ASCII.isSpace($0) }
        guard rest.first == equals else { return (name.map(ASCII.lowercased), []) }
        rest = rest.dropFirst().drop { ASCII.isSpace($0) }
        var value: ArraySlice<UInt8>
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            value = rest.dropFirst().prefix { $0 != quote }
            rest = rest[value.endIndex...].dropFirst()
        } else {
            value = rest.prefix { !ASCII.isSpace($0) }
            rest = rest[value.endIndex...]
        }
        return (name.map(ASCII.lowercased), resolved(value))
    }

    /// A value with its character references resolved.
    private static func resolved(_ value: ArraySlice<UInt8>) -> [UInt8] {
        HTMLText.text(of: Array(value))
    }
}
