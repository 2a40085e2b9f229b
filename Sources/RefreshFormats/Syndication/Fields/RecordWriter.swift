import RefreshCore

/// Writes records as JSON into one growing buffer, whole runs of bytes at a time. What is empty is left out: an
/// absent value is a missing member (refresh policy 2.8).
struct RecordWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ content: (inout RecordWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        content(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func member(_ name: StaticString, _ value: [UInt8]) {
        if value.isEmpty { return }
        self.name(name)
        string(value)
    }

    mutating func member(_ name: StaticString, _ value: String?) {
        if let value, !value.isEmpty { member(name, Array(value.utf8)) }
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
        needsComma = true
    }

    mutating func member(_ name: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        let civil = CivilTime(time)
        guard civil.microsecond == 0, 0...9_999 ~= civil.date.year else {
            return member(name, time.rfc3339)
        }
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        pair(civil.date.year / 100)
        pair(civil.date.year % 100, before: "-")
        pair(civil.date.month, before: "-")
        pair(civil.date.day, before: "T")
        pair(civil.hour, before: ":")
        pair(civil.minute, before: ":")
        pair(civil.second, before: "Z")
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func pair(_ number: Int) {
        bytes.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
        bytes.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func pair(_ number: Int, before mark: Unicode.Scalar) {
        pair(number)
        bytes.append(UInt8(ascii: mark))
    }

    /// Only what is true is said.
    mutating func member(_ name: StaticString, ifTrue value: Bool) {
        guard value else { return }
        self.name(name)
        bytes.append(contentsOf: "true".utf8)
        needsComma = true
    }

    /// An array of objects, left out where there are none.
    mutating func array<Element>(
        _ name: StaticString, _ elements: [Element], _ content: (inout RecordWriter, Element) -> Void
    ) {
        if elements.isEmpty { return }
        self.name(name)
        array { writer in
            for element in elements { content(&writer, element) }
        }
    }

    mutating func array(_ content: (inout RecordWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        content(&self)
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func name(_ name: [UInt8]) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ text: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        unsafe text.withUnsafeBytes { text in
            var start = 0
            var end = unsafe RecordWriter.plainEnd(text, from: start)
            while end < text.count {
                unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
                unsafe escape(text[end])
                start = end + 1
                end = unsafe RecordWriter.plainEnd(text, from: start)
            }
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Where the first byte that needs an escape stands, looked for eight bytes at a time.
    private static func plainEnd(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var at = start
        while at + 8 <= text.count {
            let word = UInt64(littleEndian: unsafe text.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let quotes = word ^ ones &* 0x22
            let backslashes = word ^ ones &* 0x5C
            // A byte's high bit is set where the byte was below 32, or 0 after the exclusive or; borrows can only
            // spoil bytes behind the first that is (Hacker's Delight, 6-1).
            let found =
                (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes
                | (backslashes &- ones) & ~backslashes
            let place = (found & highs).trailingZeroBitCount / 8
            if place < 8 { return at + place }
            at += 8
        }
        while at < text.count {
            let byte = unsafe text[at]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { break }
            at += 1
        }
        return at
    }

    /// Text that is JSON already.
    mutating func raw(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// What comes next is the start of another text.
    mutating func startAnew() { needsComma = false }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private static let hex = Array("0123456789abcdef".utf8)

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(RecordWriter.hex[Int(byte >> 4)])
            bytes.append(RecordWriter.hex[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
