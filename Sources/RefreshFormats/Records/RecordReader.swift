import RefreshCore

/// Makes one row of one node: finds its key, hashes its text.
struct RecordReader {
    /// Why a record is refused.
    enum Refusal: Error, Equatable {
        case absent(path: String)
        case ambiguous(path: String)
        /// A number with a fraction or an exponent: two spellings of one value would be two keys.
        case fraction(path: String)
        case notAKey(path: String, kind: String)
        /// Half of a surrogate pair, which no UTF-8 can hold.
        case surrogate(path: String)
        case empty(path: String)
        case longKey(bytes: Int, limit: Int)
        case longRecord(bytes: Int, limit: ByteCount)

        var reason: String {
            switch self {
            case .absent(let path): "its key \(path) is missing"
            case .ambiguous(let path): "its key \(path) stands there more than once"
            case .fraction(let path): "its key \(path) is a number with a fraction or an exponent"
            case .notAKey(let path, let kind): "its key \(path) is \(kind)"
            case .surrogate(let path): "its key \(path) holds half of a surrogate pair"
            case .empty(let path): "its key \(path) is empty"
            case .longKey(let bytes, let limit):
                "its key has \(bytes) bytes; \(limit) are allowed"
            case .longRecord(let bytes, let limit):
                "it has \(bytes) bytes; \(limit.bytes) are allowed"
            }
        }
    }

    let document: JSONDocument
    /// Paths from the row to the parts of its key; none is the row itself.
    let key: [JSONPath]
    let limits: RecordLimits

    init(document: JSONDocument, key: [JSONPath], limits: RecordLimits) {
        self.document = document
        self.key = key.isEmpty ? [.root] : key
        self.limits = limits
    }

    func row(of node: JSONNode) -> Result<RecordPage.Row, Refusal> {
        do throws(Refusal) {
            guard node.range.count <= limits.item.bytes else {
                throw .longRecord(bytes: node.range.count, limit: limits.item)
            }
            let key = try recordKey(of: node)
            let hash = ContentHash.of(document.text(of: node))
            return .success(RecordPage.Row(key: key, body: node.range, hash: hash))
        } catch {
            return .failure(error)
        }
    }

    private func recordKey(of node: JSONNode) throws(Refusal) -> RecordKey {
        let made: RecordKey
        if key.count == 1 {
            made = RecordKey(try part(key[0], of: node))
            if made.bytes.isEmpty { throw .empty(path: key[0].text) }
        } else {
            var parts: [[UInt8]] = []
            for path in key { parts.append(try part(path, of: node)) }
            made = RecordKey(parts: parts)
        }
        guard made.bytes.count <= limits.key else {
            throw .longKey(bytes: made.bytes.count, limit: limits.key)
        }
        return made
    }

    /// A part of the key as text: strings byte for byte, integers in decimal, booleans by name (semantics I1).
    private func part(_ path: JSONPath, of node: JSONNode) throws(Refusal) -> [UInt8] {
        guard let (place, isRepeated) = document.follow(path.steps ?? [], from: node.place) else {
            throw .absent(path: path.text)
        }
        if isRepeated { throw .ambiguous(path: path.text) }
        let found = document.node(at: place)
        switch found.kind {
        case .string:
            guard let text = document.string(of: found) else { throw .surrogate(path: path.text) }
            return text
        case .number: return try integer(document.text(of: found), path)
        case .bool: return Array(document.text(of: found))
        case .null: throw .notAKey(path: path.text, kind: "null")
        case .object: throw .notAKey(path: path.text, kind: "an object")
        case .array: throw .notAKey(path: path.text, kind: "an array")
        }
    }

    /// JSON allows no leading zeros, so an integer has one spelling, but for the sign of zero.
    private func integer(_ text: ArraySlice<UInt8>, _ path: JSONPath) throws(Refusal) -> [UInt8] {
        let sign = UInt8(ascii: "-")
        guard text.allSatisfy({ JSONByte.isDigit($0) || $0 == sign }) else {
            throw .fraction(path: path.text)
        }
        return text.elementsEqual([sign, 0x30]) ? [0x30] : Array(text)
    }
}
