import RefreshCore
import RefreshFormats

/// Where two texts of a record differ.
struct ChangedPaths {
    /// More make it a new record rather than a counter that moves.
    static let most = 8
    private static let depth = 6

    private let before: JSONDocument
    private let after: JSONDocument
    private var paths: [String] = []

    /// The paths of members that differ, in order; nil where there are too many, or a text is no JSON object.
    static func between(_ before: [UInt8], _ after: [UInt8]) -> [String]? {
        guard let before = try? JSONDocument(parsing: PaddedBytes(before)),
            let after = try? JSONDocument(parsing: PaddedBytes(after)), before.root.kind == .object,
            after.root.kind == .object
        else { return nil }
        var changed = ChangedPaths(before: before, after: after)
        changed.compare(before.root, after.root, "$", depth: 0)
        return changed.paths.count > most ? nil : changed.paths.sorted()
    }

    private init(before: JSONDocument, after: JSONDocument) {
        self.before = before
        self.after = after
    }

    private mutating func compare(_ old: JSONNode, _ new: JSONNode, _ path: String, depth: Int) {
        if before.bytes.storage[old.range] == after.bytes.storage[new.range] { return }
        guard old.kind == .object, new.kind == .object, depth < ChangedPaths.depth else {
            paths.append(path)
            return
        }
        for (name, value) in before.members(of: old) where paths.count <= ChangedPaths.most {
            guard let bytes = before.string(of: name) else { continue }
            let inner = path + ChangedPaths.step(bytes)
            if let other = after.member(bytes, of: new) {
                compare(value, other, inner, depth: depth + 1)
            } else {
                paths.append(inner)
            }
        }
        for (name, _) in after.members(of: new) where paths.count <= ChangedPaths.most {
            guard let bytes = after.string(of: name), before.member(bytes, of: old) == nil else { continue }
            paths.append(path + ChangedPaths.step(bytes))
        }
    }

    /// A step of a JSONPath (RFC 9535, 2.5.1).
    private static func step(_ name: [UInt8]) -> String {
        let isPlain =
            name.first.map { !ASCII.isDigit($0) } == true
            && name.allSatisfy { ASCII.isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") }
        if isPlain { return ".\(String(decoding: name, as: UTF8.self))" }
        var quoted: [UInt8] = []
        for byte in name {
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return "['\(String(decoding: quoted, as: UTF8.self))']"
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
