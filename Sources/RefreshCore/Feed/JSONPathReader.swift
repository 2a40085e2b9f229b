/// Reads the text of a JSONPath from left to right.
struct JSONPathReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func isNameStart(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || byte == 0x5F || byte >= 0x80
    }

    static func isNameByte(_ byte: UInt8) -> Bool { isNameStart(byte) || ASCII.isDigit(byte) }

    mutating func path() throws(JSONPath.Failure) -> [JSONPath.Segment] {
        guard !bytes.isEmpty else { throw failure(#"empty path; "$" is the whole document"#) }
        var segments: [JSONPath.Segment] = []
        if next == 0x24 {
            place += 1
        } else if next != 0x5B && next != 0x2E {
            // Without "$" the first name has no point before it.
            segments.append(try nameOrWildcard())
        }
        while !isAtEnd {
            let start = place
            skipBlanks()
            switch next {
            case 0x5B: segments.append(try bracketed())
            case 0x2E:
                place += 1
                if next == 0x2E { throw unsupported("descendants (\"..\")", at: place - 1) }
                segments.append(try nameOrWildcard())
            case nil: throw failure("white space at the end of the path", at: start)
            default: throw strayLetter(afterRoot: segments.isEmpty)
            }
        }
        return segments
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }
    private var isAtEnd: Bool { place == bytes.count }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    private func failure(_ message: String, at offset: Int? = nil) -> JSONPath.Failure {
        JSONPath.Failure(offset: offset ?? place, message: message)
    }

    private func unsupported(_ what: String, at offset: Int? = nil) -> JSONPath.Failure {
        failure("\(what) are not supported in this version", at: offset)
    }

    private func strayLetter(afterRoot: Bool) -> JSONPath.Failure {
        let name = String(decoding: bytes[place...].prefix(while: JSONPathReader.isNameByte), as: UTF8.self)
        if afterRoot, !name.isEmpty {
            return failure(#"after "$" comes "." or "["; a member "$\#(name)" is written ['$\#(name)']"#)
        }
        if next == 0x3F || next == 0x40 { return unsupported("filters (\"?\")") }
        return failure(#"expected "." or "["; a name with other letters is written ['like this']"#)
    }

    // MARK: - Segments

    /// Behind a point, or at the start: a name of letters, digits and `_`, or `*` (2.5.1.1).
    private mutating func nameOrWildcard() throws(JSONPath.Failure) -> JSONPath.Segment {
        if next == 0x2A {
            place += 1
            return .wildcard
        }
        guard let first = next else { throw failure(#"missing name after ".""#) }
        guard JSONPathReader.isNameStart(first) else {
            if first == 0x3F || first == 0x40 { throw unsupported("filters (\"?\")") }
            throw failure(
                ASCII.isDigit(first)
                    ? "a name that begins with a digit is written ['0'], an index [0]"
                    : "a name with other letters is written ['like this']")
        }
        let start = place
        while let byte = next, JSONPathReader.isNameByte(byte) { place += 1 }
        return .name(Array(bytes[start..<place]))
    }

    private mutating func bracketed() throws(JSONPath.Failure) -> JSONPath.Segment {
        place += 1
        skipBlanks()
        let segment: JSONPath.Segment
        switch next {
        case 0x2A:
            place += 1
            segment = .wildcard
        case 0x22, 0x27: segment = .name(try quoted())
        case 0x3F: throw unsupported("filters (\"?\")")
        case 0x3A: throw unsupported("slices (\":\")")
        case let byte? where byte == 0x2D || ASCII.isDigit(byte): segment = .index(try index())
        default: throw failure(#"in brackets stands a quoted name, an index or "*""#)
        }
        skipBlanks()
        switch next {
        case 0x5D:
            place += 1
            return segment
        case 0x2C: throw unsupported("unions (\",\")")
        case 0x3A: throw unsupported("slices (\":\")")
        default: throw failure(#"missing "]""#)
        }
    }

    /// Without leading zeros and within what every JSON reader counts exactly (2.1, 2.3.3.1).
    private mutating func index() throws(JSONPath.Failure) -> Int {
        let start = place
        let isNegative = next == 0x2D
        if isNegative { place += 1 }
        let digits = place
        var value = 0
        while let byte = next, ASCII.isDigit(byte) {
            value = value * 10 + Int(byte - 0x30)
            place += 1
            guard value < 1 << 53 else { throw failure("index beyond 2^53 - 1", at: start) }
        }
        guard place > digits else { throw failure(#"missing digits after "-""#) }
        let startsWithZero = bytes[digits] == 0x30
        guard !startsWithZero || (place == digits + 1 && !isNegative) else {
            throw failure("an index has no leading zeros and no minus zero", at: start)
        }
        return isNegative ? -value : value
    }

    // MARK: - Quoted names (2.3.1.1)

    private mutating func quoted() throws(JSONPath.Failure) -> [UInt8] {
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
