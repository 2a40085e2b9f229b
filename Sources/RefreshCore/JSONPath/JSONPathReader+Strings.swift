/// Quoted names and strings (RFC 9535, 2.3.1.1).
extension JSONPathReader {
    mutating func quoted() throws(JSONPath.Failure) -> [UInt8] {
        let start = place
        let quote = bytes[place]
        place += 1
        var name: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case quote: return name
            case 0x5C: name.append(contentsOf: try escape(within: quote))
            case 0..<0x20: throw failure(#"control character in a name; write it as "\u00…""#, at: place - 1)
            default: name.append(byte)
            }
        }
        throw failure("quoted name without its end", at: start)
    }

    private mutating func escape(within quote: UInt8) throws(JSONPath.Failure) -> [UInt8] {
        let start = place - 1
        guard let letter = next else { throw failure("quoted name without its end", at: start) }
        place += 1
        switch letter {
        case quote, 0x5C, 0x2F: return [letter]
        case 0x62: return [0x08]
        case 0x66: return [0x0C]
        case 0x6E: return [0x0A]
        case 0x72: return [0x0D]
        case 0x74: return [0x09]
        case 0x75: return try unicodeEscape(from: start)
        default: throw failure("unknown escape", at: start)
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(JSONPath.Failure) -> [UInt8] {
        var code = try fourHexDigits(from: start)
        if (0xD800..<0xDC00).contains(code) {
            guard bytes[place...].starts(with: [0x5C, 0x75]) else {
                throw failure("half of a surrogate pair", at: start)
            }
            place += 2
            let low = try fourHexDigits(from: start)
            guard (0xDC00..<0xE000).contains(low) else {
                throw failure("half of a surrogate pair", at: start)
            }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair", at: start) }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourHexDigits(from start: Int) throws(JSONPath.Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let value = ASCII.hexValue(byte) else {
                throw failure(#"four hexadecimal digits follow "\u""#, at: start)
            }
            code = code << 4 | UInt32(value)
            place += 1
        }
        return code
    }
}
