/// A URI reference taken apart (RFC 3986, appendix B); the fragment is left out.
struct URLParts {
    let start: Int
    let scheme: ArraySlice<UInt8>?
    let authority: ArraySlice<UInt8>?
    let path: ArraySlice<UInt8>
    let query: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) {
        start = bytes.startIndex
        var rest = bytes.prefix { $0 != 0x23 }
        scheme = URLParts.takeScheme(&rest)
        if rest.starts(with: [0x2F, 0x2F]) {
            let behind = rest.dropFirst(2)
            let authority = behind.prefix { $0 != 0x2F && $0 != 0x3F }
            self.authority = authority
            rest = rest[authority.endIndex...]
        } else {
            authority = nil
        }
        path = rest.prefix { $0 != 0x3F }
        query = path.endIndex < rest.endIndex ? rest[(path.endIndex + 1)...] : nil
    }

    /// A letter, then letters, digits, `+`, `-` and `.`, then a colon (3.1).
    private static func takeScheme(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = rest.firstIndex(of: 0x3A), let first = rest.first, ASCII.isLetter(first) else {
            return nil
        }
        let name = rest[..<colon]
        guard
            name.allSatisfy({
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
            })
        else { return nil }
        rest = rest[(colon + 1)...]
        return name
    }
}
