import RefreshCore
import TestSupport

/// A JSON value as the corpora need it: names to values, no duplicate names, well-formed by promise.
enum CorpusValue: Equatable {
    case null
    case bool(Bool)
    /// As written.
    case number(String)
    case string(String)
    case array([CorpusValue])
    case object([String: CorpusValue])

    /// The cases of a corpus, one a line; empty where it is absent.
    static func lines(of name: String) -> [CorpusValue] {
        guard let path = Corpora.path(name), let bytes = readFile(path) else { return [] }
        return bytes.split(separator: 0x0A).map { line in
            var reader = CorpusReader(bytes: Array(line))
            return reader.value()
        }
    }

    subscript(_ name: String) -> CorpusValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var isTrue: Bool { self == .bool(true) }
    var elements: [CorpusValue] { if case .array(let elements) = self { elements } else { [] } }
}

/// Reads one line of a corpus; what is not JSON ends the test run.
private struct CorpusReader {
    let bytes: [UInt8]
    var place = 0

    mutating func value() -> CorpusValue {
        skip()
        switch bytes[place] {
        case 0x7B: return .object(members())
        case 0x5B: return .array(elements())
        case 0x22: return .string(string())
        case 0x74: return word(4, .bool(true))
        case 0x66: return word(5, .bool(false))
        case 0x6E: return word(4, .null)
        default:
            let start = place
            while place < bytes.count, ![0x2C, 0x5D, 0x7D, 0x20].contains(bytes[place]) { place += 1 }
            return .number(String(decoding: bytes[start..<place], as: UTF8.self))
        }
    }

    private mutating func skip() {
        while place < bytes.count, ASCII.isSpace(bytes[place]) { place += 1 }
    }

    private mutating func word(_ length: Int, _ value: CorpusValue) -> CorpusValue {
        place += length
        return value
    }

    /// Whether an element follows; takes the comma or the closing bracket.
    private mutating func goesOn(until close: UInt8) -> Bool {
        skip()
        let byte = bytes[place]
        if byte == close || byte == 0x2C { place += 1 }
        return byte != close
    }

    private mutating func members() -> [String: CorpusValue] {
        place += 1
        var members: [String: CorpusValue] = [:]
        while goesOn(until: 0x7D) {
            skip()
            let name = string()
            skip()
            precondition(bytes[place] == 0x3A, "a corpus line is no JSON")
            place += 1
            members[name] = value()
        }
        return members
    }

    private mutating func elements() -> [CorpusValue] {
        place += 1
        var elements: [CorpusValue] = []
        while goesOn(until: 0x5D) { elements.append(value()) }
        return elements
    }

    private mutating func string() -> String {
        place += 1
        var units: [UInt16] = []
        var text: [UInt8] = []
        func flush() {
            text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            units = []
        }
        while bytes[place] != 0x22 {
            guard bytes[place] == 0x5C else {
                flush()
                text.append(bytes[place])
                place += 1
                continue
            }
            let letter = bytes[place + 1]
            place += 2
            if letter == 0x75 {
                let digits = String(decoding: bytes[place..<place + 4], as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0)
                place += 4
            } else {
                let plain: [UInt8: UInt16] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]
                units.append(plain[letter] ?? UInt16(letter))
            }
        }
        flush()
        place += 1
        return String(decoding: text, as: UTF8.self)
    }
}
