import RefreshCore

/// What relative references of a document stand against: the innermost `xml:base`, else the feed's own page, else
/// where the document came from (RFC 3986, 5.1; RFC 4287, 2).
struct LinkBase {
    private let document: WebURL?
    /// The page of the feed, as far as it is known yet.
    private var site: WebURL?
    private var scopes: [(depth: Int, base: WebURL)] = []

    init(document: WebURL?) { self.document = document }

    mutating func setSite(_ url: [UInt8]) {
        if site == nil { site = try? WebURL(parsing: String(decoding: url, as: UTF8.self)) }
    }

    /// Bytes of a base that is still taken for one.
    private static let longest = 2_048

    mutating func enter(_ reference: [UInt8], depth: Int) {
        guard !reference.isEmpty, reference.count <= LinkBase.longest else { return }
        let text = String(decoding: reference, as: UTF8.self)
        let base =
            try? scopes.last?.base.resolving(text) ?? document?.resolving(text) ?? WebURL(parsing: text)
        if let base, base.path.utf8.count <= LinkBase.longest { scopes.append((depth, base)) }
    }

    mutating func leave(depth: Int) {
        if scopes.last?.depth == depth { scopes.removeLast() }
    }

    /// Whether nothing is known to resolve against.
    var isEmpty: Bool { scopes.isEmpty && site == nil && document == nil }

    /// An absolute URL where one can be made, else the reference as it came; never changed where it is absolute.
    func absolute(_ reference: [UInt8]) -> [UInt8] {
        let reference = reference.trimmedToArray
        guard !reference.isEmpty, !LinkBase.hasScheme(reference),
            let base = scopes.last?.base ?? site ?? document
        else { return reference }
        let hash = UInt8(ascii: "#")
        let fragment = reference.firstIndex(of: hash).map { reference[$0...] } ?? []
        let rest = reference[..<(reference.count - fragment.count)]
        guard let resolved = try? base.resolving(String(decoding: rest, as: UTF8.self)) else {
            return reference
        }
        return Array(resolved.description.utf8) + fragment
    }

    private static func hasScheme(_ reference: [UInt8]) -> Bool {
        guard let colon = reference.firstIndex(of: UInt8(ascii: ":")), let first = reference.first,
            first | 0x20 &- 0x61 < 26
        else { return false }
        return reference[..<colon].allSatisfy { byte in
            HTMLEntities.isLetterOrDigit(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
        }
    }
}
