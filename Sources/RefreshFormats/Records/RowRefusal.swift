import RefreshCore

/// Why a row of a document that is no JSON is refused.
enum RowRefusal: Error, Equatable {
    case absent(path: String)
    case empty(path: String)
    /// A number with a fraction or an exponent, or a list.
    case notAKey(path: String, kind: String)
    /// More fields than columns.
    case surplusFields(found: Int, known: Int)
    case longKey(bytes: Int, limit: Int)
    case longRecord(bytes: Int, limit: ByteCount)

    var reason: String {
        switch self {
        case .absent(let path): "its key \(path) is missing"
        case .empty(let path): "its key \(path) is empty"
        case .notAKey(let path, let kind): "its key \(path) is \(kind)"
        case .surplusFields(let found, let known): "it has \(found) fields; the columns are \(known)"
        case .longKey(let bytes, let limit): "its key has \(bytes) bytes; \(limit) are allowed"
        case .longRecord(let bytes, let limit): "it has \(bytes) bytes; \(limit.bytes) are allowed"
        }
    }
}

extension RecordLimits {
    /// Bytes of all records that are made of one answer: names that stand once in a document are repeated in each.
    package static let text = ByteCount.mebibytes(256)

    /// The key of these parts; a single one must not be empty (semantics I1, I2).
    func key(of parts: [[UInt8]], named name: String) throws(RowRefusal) -> RecordKey {
        let made = RecordKey(parts: parts)
        if made.bytes.isEmpty || parts.isEmpty { throw .empty(path: name) }
        guard made.bytes.count <= key else { throw .longKey(bytes: made.bytes.count, limit: key) }
        return made
    }
}
