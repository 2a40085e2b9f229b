import RefreshCore
import RefreshFormats

/// A JSON object that this program has written into a column.
struct StoredObject {
    private let document: JSONDocument
    private let node: JSONNode

    /// Nil where `bytes` are none.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let document = try? JSONDocument(parsing: PaddedBytes(bytes)),
            document.root.kind == .object
        else { return nil }
        self.init(document, document.root)
    }

    private init(_ document: JSONDocument, _ node: JSONNode) {
        self.document = document
        self.node = node
    }

    func number(_ name: String) -> Int64? { document.int64(document.member(name, of: node)) }
    func words(_ name: String) -> String? { document.text(document.member(name, of: node)) }
    func time(_ name: String) -> Timestamp? { number(name).map(Timestamp.init(microseconds:)) }
    func count(_ name: String) -> Int { number(name).map(Int.init) ?? 0 }
    func hash(_ name: String) -> UInt64 { words(name).flatMap { UInt64($0, radix: 16) } ?? 0 }

    func object(_ name: String) -> StoredObject? {
        guard let member = document.member(name, of: node), member.kind == .object else { return nil }
        return StoredObject(document, member)
    }

    func objects(_ name: String) -> [StoredObject] {
        guard let member = document.member(name, of: node) else { return [] }
        return document.elements(of: member).filter { $0.kind == .object }.map { StoredObject(document, $0) }
    }
}

/// Members that are left out where there is nothing to say.
extension JSONText {
    mutating func number(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    mutating func time(_ name: StaticString, _ time: Timestamp?) { number(name, time?.microseconds) }

    mutating func count(_ name: StaticString, _ count: Int) {
        if count != 0 { number(name, Int64(count)) }
    }

    mutating func words(_ name: StaticString, _ words: String?) {
        guard let words else { return }
        self.name(name)
        string(words)
    }

    /// All 64 bits, as hexadecimal digits: many readers of JSON keep only 53 of a number.
    mutating func hash(_ name: StaticString, _ hash: UInt64) {
        if hash != 0 { words(name, String(hash, radix: 16)) }
    }
}
