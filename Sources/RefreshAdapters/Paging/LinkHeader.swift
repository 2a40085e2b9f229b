import RefreshCore

/// Links in the head of an answer (RFC 8288, 3).
package enum LinkHeader {
    /// The target of the first link that has the relation `rel`, compared without case; nil where there is none.
    package static func target(rel: String, in fields: [String]) -> String? {
        for field in fields {
            var reader = Reader(rest: Array(field.utf8)[...])
            while let link = reader.link() {
                if link.relations.contains(where: { ASCII.equalIgnoringCase($0, rel.utf8) }) {
                    return link.target
                }
            }
        }
        return nil
    }

    private struct Link {
        var target = ""
        /// Several stand in one value, between blanks (3.3).
        var relations: [[UInt8]] = []
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// The next link; nil at the end, or where what comes is none.
        mutating func link() -> Link? {
            skip { ASCII.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard rest.popFirst() == UInt8(ascii: "<") else { return nil }
            var link = Link()
            link.target = String(decoding: take { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            guard rest.popFirst() != nil else { return nil }
            skip(ASCII.isSpace)
            while rest.first == UInt8(ascii: ";") {
                rest = rest.dropFirst()
                parameter(&link)
                skip(ASCII.isSpace)
            }
            // What is no parameter is passed over to the next link.
            _ = take { $0 != UInt8(ascii: ",") }
            return link
        }

        private mutating func parameter(_ link: inout Link) {
            skip(ASCII.isSpace)
            let name = take { !ASCII.isSpace($0) && !"=;,".utf8.contains($0) }
            skip(ASCII.isSpace)
            guard rest.first == UInt8(ascii: "=") else { return }
            rest = rest.dropFirst()
            skip(ASCII.isSpace)
            let value = value()
            // Only the first counts where it stands twice (3.3).
            guard ASCII.equalIgnoringCase(name, "rel".utf8), link.relations.isEmpty else { return }
            link.relations = value.split(whereSeparator: ASCII.isSpace).map(Array.init)
        }

        private mutating func value() -> [UInt8] {
            guard rest.first == UInt8(ascii: "\"") else {
                return Array(take { !ASCII.isSpace($0) && !";,".utf8.contains($0) })
            }
            rest = rest.dropFirst()
            var value: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    value.append(escaped)
                } else {
                    value.append(byte)
                }
            }
            return value
        }

        private mutating func skip(_ holds: (UInt8) -> Bool) { rest = rest.drop(while: holds) }

        private mutating func take(_ holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let taken = rest.prefix(while: holds)
            rest = rest[taken.endIndex...]
            return taken
        }
    }
}
