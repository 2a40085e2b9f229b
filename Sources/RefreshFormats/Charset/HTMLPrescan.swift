import RefreshCore

/// Finds the charset that an HTML document declares at its start (WHATWG HTML, 13.2.3.2, "prescan a byte stream").
struct HTMLPrescan {
    /// How far is looked: declarations stand behind long scripts and comments at times.
    static let length = 16_384

    /// The document's start ends within what would have to be read.
    private struct End: Error {}

    private struct Attribute {
        var name: [UInt8] = []
        var value: [UInt8] = []
    }

    private let bytes: ArraySlice<UInt8>
    private var at: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes.prefix(HTMLPrescan.length)
        at = bytes.startIndex
    }

    /// The charset declared within the first 16 KiB of `bytes`, or nil.
    static func charset(of bytes: ArraySlice<UInt8>) -> Charset? {
        var prescan = HTMLPrescan(bytes)
        if let found = try? prescan.run() { return found }
        return XMLDeclaration.charset(of: bytes)
    }

    private mutating func run() throws(End) -> Charset? {
        while at < bytes.endIndex {
            if let charset = try step() { return charset.isWide ? .utf8 : charset }
            at += 1
        }
        return nil
    }

    /// What stands at the place: looks into a tag, passes over a comment; the charset, should it be declared there.
    private mutating func step() throws(End) -> Charset? {
        guard bytes[at] == UInt8(ascii: "<") else { return nil }
        if stands("<!--") {
            at += 2
            try advance { bytes, at in
                bytes[at] == UInt8(ascii: ">") && bytes[at - 1] == UInt8(ascii: "-")
                    && bytes[at - 2] == UInt8(ascii: "-")
            }
        } else if stands("<meta"), let next = byte(5), ASCII.isSpace(next) || next == UInt8(ascii: "/") {
            at += 5
            return try meta()
        } else if isTag {
            try advance { bytes, at in ASCII.isSpace(bytes[at]) || bytes[at] == UInt8(ascii: ">") }
            while try attribute() != nil {}
        } else if stands("<!") || stands("</") || stands("<?") {
            try advance { bytes, at in bytes[at] == UInt8(ascii: ">") }
        }
        return nil
    }

    private var isTag: Bool {
        guard let next = byte(1) else { return false }
        let first = next == UInt8(ascii: "/") ? byte(2) : next
        return first.map { ($0 | 0x20) &- 0x61 < 26 } ?? false
    }

    private mutating func meta() throws(End) -> Charset? {
        var seen: Set<[UInt8]> = []
        var isPragma = false
        var needsPragma: Bool?
        var charset: Charset?
        while let attribute = try attribute() {
            guard seen.insert(attribute.name).inserted else { continue }
            switch String(decoding: attribute.name, as: UTF8.self) {
            case "http-equiv": isPragma = attribute.value.elementsEqual("content-type".utf8)
            case "content":
                if charset == nil, let found = HTMLPrescan.charset(inContent: attribute.value) {
                    charset = found
                    needsPragma = true
                }
            case "charset":
                charset = Charset(label: String(decoding: attribute.value, as: UTF8.self))
                needsPragma = false
            default: break
            }
        }
        guard let needsPragma, isPragma || !needsPragma else { return nil }
        return charset
    }

    /// The charset in the value of a `content` attribute ("extracting a character encoding from a meta element").
    private static func charset(inContent value: [UInt8]) -> Charset? {
        let word = Array("charset".utf8)
        var rest = value[...]
        while !rest.isEmpty {
            guard rest.starts(with: word) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(word.count).drop { ASCII.isSpace($0) }
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { ASCII.isSpace($0) }
            guard let first = rest.first else { return nil }
            if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
                let inside = rest.dropFirst()
                guard let end = inside.firstIndex(of: first) else { return nil }
                return Charset(label: String(decoding: inside[..<end], as: UTF8.self))
            }
            let label = rest.prefix { !ASCII.isSpace($0) && $0 != UInt8(ascii: ";") }
            return Charset(label: String(decoding: label, as: UTF8.self))
        }
        return nil
    }

    // MARK: - Bytes

    private func byte(_ offset: Int) -> UInt8? {
        at + offset < bytes.endIndex ? bytes[at + offset] : nil
    }

    private func current() throws(End) -> UInt8 {
        guard at < bytes.endIndex else { throw End() }
        return bytes[at]
    }

    private func stands(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard at + count <= bytes.endIndex else { return false }
        let wanted = unsafe UnsafeBufferPointer(start: text.utf8Start, count: count)
        return unsafe ASCII.equalIgnoringCase(bytes[at..<at + count], wanted)
    }

    /// Goes on, by at least one byte, to where `isThere` holds.
    private mutating func advance(
        to isThere: (ArraySlice<UInt8>, Int) -> Bool
    ) throws(End) {
        repeat {
            at += 1
            _ = try current()
        } while !isThere(bytes, at)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) throws(End) {
        while isSkipped(try current()) { at += 1 }
    }

    /// The next attribute, in lower case; nil at the end of the tag ("get an attribute").
    private mutating func attribute() throws(End) -> Attribute? {
        try skip { ASCII.isSpace($0) || $0 == UInt8(ascii: "/") }
        if try current() == UInt8(ascii: ">") { return nil }
        var attribute = Attribute()
        while true {
            let byte = try current()
            if byte == UInt8(ascii: "="), !attribute.name.isEmpty { break }
            if ASCII.isSpace(byte) {
                try skip { ASCII.isSpace($0) }
                guard try current() == UInt8(ascii: "=") else { return attribute }
                break
            }
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { return attribute }
            attribute.name.append(ASCII.lowercased(byte))
            at += 1
        }
        // The sign of equality.
        at += 1
        attribute.value = try value()
        return attribute
    }

    private mutating func value() throws(End) -> [UInt8] {
        try skip { ASCII.isSpace($0) }
        let first = try current()
        var value: [UInt8] = []
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            at += 1
            while try current() != first {
                value.append(ASCII.lowercased(bytes[at]))
                at += 1
            }
            at += 1
            return value
        }
        while true {
            let byte = try current()
            if ASCII.isSpace(byte) || byte == UInt8(ascii: ">") { return value }
            value.append(ASCII.lowercased(byte))
            at += 1
        }
    }
}
