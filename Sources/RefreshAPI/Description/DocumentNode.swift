import RefreshCore

/// A JSON document that is built as a tree before it is written, for what is not worth a path of its own.
indirect enum DocumentNode: Sendable {
    case object([(name: String, value: DocumentNode)])
    case array([DocumentNode])
    case text(String)
    case number(Int64)
    case flag(Bool)

    static func texts(_ texts: [String]) -> DocumentNode { .array(texts.map(DocumentNode.text)) }

    /// With two spaces a level and a member a line, so that people can read it and compare two of them.
    var indented: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, level: 0)
        bytes.append(0x0A)
        return bytes
    }

    private func write(to bytes: inout [UInt8], level: Int) {
        switch self {
        case .object(let members):
            DocumentNode.container("{", "}", members, to: &bytes, level) { member, bytes in
                DocumentNode.quote(member.name, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.write(to: &bytes, level: level + 1)
            }
        case .array(let elements):
            DocumentNode.container("[", "]", elements, to: &bytes, level) { element, bytes in
                element.write(to: &bytes, level: level + 1)
            }
        case .text(let text): DocumentNode.quote(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        }
    }

    private static func container<Part>(
        _ open: String, _ close: String, _ parts: [Part], to bytes: inout [UInt8], _ level: Int,
        _ write: (Part, inout [UInt8]) -> Void
    ) {
        bytes.append(contentsOf: open.utf8)
        for (index, part) in parts.enumerated() {
            bytes.append(contentsOf: index == 0 ? "\n".utf8 : ",\n".utf8)
            bytes.append(contentsOf: repeatElement(0x20, count: 2 * (level + 1)))
            write(part, &bytes)
        }
        if !parts.isEmpty {
            bytes.append(0x0A)
            bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
        }
        bytes.append(contentsOf: close.utf8)
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        var quoted = JSONText(reserving: text.utf8.count + 2)
        quoted.string(text)
        bytes.append(contentsOf: quoted.bytes)
    }
}
