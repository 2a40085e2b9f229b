import RefreshCore

/// The entities that a document declares for itself, as far as they are plain text: what refers to other entities,
/// or to files, is refused, and so is growing without bound.
struct UserEntities {
    private static let most = 256
    private static let longest = 1_024
    /// Bytes that all references of a document together may become.
    private static let allowance = 1 << 20

    private var values: [[UInt8]: [UInt8]] = [:]
    private var left = UserEntities.allowance

    /// Reads the declarations of a document type: what stands from `<!DOCTYPE` to its end.
    init(documentType: ArraySlice<UInt8>) {
        let mark = Array("<!ENTITY".utf8)
        var rest = documentType
        while let at = rest.firstIndex(of: mark[0]), values.count < UserEntities.most {
            rest = rest[at...]
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(mark.count).drop { ASCII.isSpace($0) }
            readDeclaration(&rest)
        }
    }

    init() {}

    /// The text of the entity; nil where none of this name may be used.
    mutating func text(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard !values.isEmpty, let text = values[Array(name)], text.count <= left else { return nil }
        left -= text.count
        return text
    }

    /// `name "value"`: the first declaration of a name counts (XML 1.0, 4.2).
    private mutating func readDeclaration(_ rest: inout ArraySlice<UInt8>) {
        let name = rest.prefix { !ASCII.isSpace($0) && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: ">") }
        rest = rest[name.endIndex...].drop { ASCII.isSpace($0) }
        guard !name.isEmpty, let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return }
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: quote) else { return }
        let value = inside[..<end]
        rest = inside[(end + 1)...]
        let isPlain = !value.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "<") }
        guard isPlain, value.count <= UserEntities.longest, values[Array(name)] == nil,
            let text = UserEntities.withoutReferences(value)
        else { return }
        values[Array(name)] = text
    }

    /// Character references are part of a value; entities within entities are how small documents become huge.
    private static func withoutReferences(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        var rest = value
        while let byte = rest.first {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                rest = rest.dropFirst()
                continue
            }
            guard let found = HTMLEntities.reference(rest), rest.dropFirst().first == UInt8(ascii: "#") else {
                return nil
            }
            text.append(contentsOf: UTF8.encode(found.scalar) ?? UTF8.encodedReplacementCharacter)
            rest = rest.dropFirst(found.length)
        }
        return text
    }
}
