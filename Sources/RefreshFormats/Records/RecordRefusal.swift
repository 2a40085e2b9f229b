import RefreshCore

/// Why a record is refused.
enum RecordRefusal: Error, Equatable {
    case absent(path: String)
    case ambiguous(path: String)
    /// A number with a fraction or an exponent: two spellings of one value would be two keys.
    case fraction(path: String)
    case notAKey(path: String, kind: String)
    /// Half of a surrogate pair, which no UTF-8 can hold.
    case surrogate(path: String)
    case empty(path: String)
    /// More fields than columns.
    case surplusFields(found: Int, known: Int)
    case longKey(bytes: Int, limit: Int)
    case longRecord(bytes: Int, limit: ByteCount)
    /// Members are to be added to what has none.
    case noObject(kind: String)

    var reason: String {
        switch self {
        case .absent(let path): "its key \(path) is missing"
        case .ambiguous(let path): "its key \(path) stands there more than once"
        case .fraction(let path): "its key \(path) is a number with a fraction or an exponent"
        case .notAKey(let path, let kind): "its key \(path) is \(kind)"
        case .surrogate(let path): "its key \(path) holds half of a surrogate pair"
        case .empty(let path): "its key \(path) is empty"
        case .surplusFields(let found, let known): "it has \(found) fields; the columns are \(known)"
        case .longKey(let bytes, let limit): "its key has \(bytes) bytes; \(limit) are allowed"
        case .longRecord(let bytes, let limit): "it has \(bytes) bytes; \(limit.bytes) are allowed"
        case .noObject(let kind): "it is \(kind), so no member can be added to it"
        }
    }
}

extension JSONNode.Kind {
    /// With its article, for a message.
    var described: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a boolean"
        case .null: "null"
        }
    }
}
