/// A link that a header field gives (RFC 8288, 3).
package struct WebLink: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        /// In lower case.
        package let name: String
        /// Without quotes and escapes; nil where there is no value.
        package let value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// What stands between the angle brackets.
    package let reference: String
    package let parameters: [Parameter]

    package init(reference: String, parameters: [Parameter]) {
        self.reference = reference
        self.parameters = parameters
    }

    /// The first value of a parameter of this name, which is the one that counts (3.3, 3.4.1).
    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The types of the link, as written; they compare without case (3.3).
    package var relations: [String] {
        parameter("rel").map { $0.utf8.split(whereSeparator: ASCII.isSpace).map { String(Substring($0)) } }
            ?? []
    }

    package func isOf(relation: String) -> Bool {
        relations.contains { ASCII.equalIgnoringCase($0.utf8, relation.utf8) }
    }

    /// Where the link leads from a document at `base`.
    package func target(from base: WebURL) throws(WebURL.Failure) -> WebURL { try base.resolving(reference) }

    /// What the link is about: the document at `base`, or what its `anchor` names (3.2), without a fragment.
    package func context(from base: WebURL) throws(WebURL.Failure) -> WebURL {
        guard let anchor = parameter("anchor") else { return base }
        return try base.resolving(anchor)
    }
}

/// The `Link` header field (RFC 8288, 3).
package enum LinkHeader {
    /// The first link of this type that is about the document at `base` itself.
    package static func first(relation: String, in headers: HTTPHeaders, base: WebURL) -> WebLink? {
        for value in headers.all("link") {
            if let link = links(in: value).first(where: {
                $0.isOf(relation: relation) && (try? $0.context(from: base)) == base
            }) {
                return link
            }
        }
        return nil
    }

    /// All links of a field's value, as appendix B.2 reads it; what comes behind a fault is left out.
    package static func links(in value: String) -> [WebLink] {
        var reader = LinkHeaderReader(bytes: Array(value.utf8))
        var links: [WebLink] = []
        while let link = reader.link() { links.append(link) }
        return links
    }
}

private struct LinkHeaderReader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skip(commas: Bool = false) {
        while let byte = next, ASCII.isSpace(byte) || (commas && byte == 0x2C) { place += 1 }
    }

    /// Takes bytes up to one of `ends`, which stays.
    private mutating func until(_ ends: [UInt8]) -> ArraySlice<UInt8> {
        let start = place
        while let byte = next, !ends.contains(byte) { place += 1 }
        return bytes[start..<place]
    }

    /// The next link; nil at the end, or where none starts.
    mutating func link() -> WebLink? {
        skip(commas: true)
        guard next == 0x3C else { return nil }
        place += 1
        let reference = until([0x3E])
        guard next == 0x3E else { return nil }
        place += 1
        return WebLink(reference: String(decoding: reference, as: UTF8.self), parameters: parameters())
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var parameters: [WebLink.Parameter] = []
        while true {
            skip()
            guard next == 0x3B else { return parameters }
            while next == 0x3B {
                place += 1
                skip()
            }
            let name = until([0x3D, 0x3B, 0x2C]).filter { !ASCII.isSpace($0) }
            guard !name.isEmpty else { continue }
            parameters.append(
                WebLink.Parameter(
                    name: String(decoding: name.map(ASCII.lowercased), as: UTF8.self), value: value()))
        }
    }

    private mutating func value() -> String? {
        guard next == 0x3D else { return nil }
        place += 1
        skip()
        guard next == 0x22 else {
            return String(decoding: ASCII.trimmed(until([0x3B, 0x2C])), as: UTF8.self)
        }
        place += 1
        var value: [UInt8] = []
        while let byte = next, byte != 0x22 {
            place += 1
            if byte == 0x5C, let escaped = next {
                value.append(escaped)
                place += 1
            } else {
                value.append(byte)
            }
        }
        if next == 0x22 { place += 1 }
        return String(decoding: value, as: UTF8.self)
    }
}
