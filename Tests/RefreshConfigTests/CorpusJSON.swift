/// Enough of JSON to read the corpora in tests; input that is not JSON is a failed test.
indirect enum CorpusJSON: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([CorpusJSON])
    case object([String: CorpusJSON])

    struct Malformed: Error { let offset: Int }

    init(parsing bytes: some Collection<UInt8>) throws {
        var reader = Reader(bytes: Array(bytes))
        self = try reader.value()
    }

    subscript(name: String) -> CorpusJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var array: [CorpusJSON]? { if case .array(let values) = self { values } else { nil } }
}

private struct Reader {
    let bytes: [UInt8]
    var index = 0

    mutating func value() throws -> CorpusJSON {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        default: return try word()
        }
    }

    private mutating func object() throws -> [String: CorpusJSON] {
        var members: [String: CorpusJSON] = [:]
        index += 1
        while try !take(UInt8(ascii: "}")) {
            _ = try take(UInt8(ascii: ","))
            skipSpace()
            let name = try string()
            guard try take(UInt8(ascii: ":")) else { throw CorpusJSON.Malformed(offset: index) }
            members[name] = try value()
        }
        return members
    }

    private mutating func array() throws -> [CorpusJSON] {
        var values: [CorpusJSON] = []
        index += 1
        while try !take(UInt8(ascii: "]")) {
            _ = try take(UInt8(ascii: ","))
            values.append(try value())
        }
        return values
    }

    private mutating func word() throws -> CorpusJSON {
        let end = bytes[index...].firstIndex { ",]} \n\r\t".utf8.contains($0) } ?? bytes.count
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard let number = Double(text) else { throw CorpusJSON.Malformed(offset: index) }
            return .number(number)
        }
    }

    private mutating func string() throws -> String {
        var units: [UInt16] = []
        index += 1
        while try peek() != UInt8(ascii: "\"") {
            let start = index
            if bytes[index] == UInt8(ascii: "\\") {
                units.append(try escape())
                continue
            }
            while try peek() != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index += 1 }
            units += Array(String(decoding: bytes[start..<index], as: UTF8.self).utf16)
        }
        index += 1
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func escape() throws -> UInt16 {
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
            index += 4
            guard let unit = UInt16(digits, radix: 16) else { throw CorpusJSON.Malformed(offset: index) }
            return unit
        default: return UInt16(letter)
        }
    }

    private mutating func take(_ byte: UInt8) throws -> Bool {
        skipSpace()
        guard try peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, " \n\r\t".utf8.contains(bytes[index]) { index += 1 }
    }

    private func peek() throws -> UInt8 {
        guard index < bytes.count else { throw CorpusJSON.Malformed(offset: index) }
        return bytes[index]
    }
}
