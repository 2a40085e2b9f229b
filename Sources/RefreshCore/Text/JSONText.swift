/// Writes JSON text (RFC 8259) byte by byte: members in the order given, nothing escaped that need not be.
package struct JSONText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Containers

    package mutating func object(_ members: (inout JSONText) -> Void) { container(0x7B, 0x7D, members) }
    package mutating func array(_ elements: (inout JSONText) -> Void) { container(0x5B, 0x5D, elements) }

    private mutating func container(_ open: UInt8, _ close: UInt8, _ content: (inout JSONText) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        content(&self)
        bytes.append(close)
        needsComma = true
    }

    /// A member's name; its value is what is written next.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        unsafe bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    /// A member's name that is not known at compile time.
    package mutating func name(_ name: some Collection<UInt8>) {
        string(name)
        bytes.append(0x3A)
        needsComma = false
    }

    // MARK: - Values

    package mutating func string(_ text: String) { string(text.utf8) }

    /// A string of UTF-8 bytes; ill-formed ones are the caller's fault and pass as they are.
    package mutating func string(_ utf8: some Collection<UInt8>) {
        separate()
        bytes.append(0x22)
        if utf8.withContiguousStorageIfAvailable({ unsafe escape($0) }) == nil {
            unsafe Array(utf8).withUnsafeBufferPointer { unsafe escape($0) }
        }
        bytes.append(0x22)
        needsComma = true
    }

    package mutating func number(_ number: some FixedWidthInteger) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
        needsComma = true
    }

    package mutating func number(_ number: Int) { self.number(Int64(number)) }

    /// Without the detour over a text: a feed's row is full of times.
    package mutating func number(_ number: Int64) {
        separate()
        if number < 0 { bytes.append(0x2D) }
        var (rest, length) = (number.magnitude, 0)
        repeat {
            (rest, length) = (rest / 10, length + 1)
        } while rest > 0
        bytes.append(contentsOf: repeatElement(0x30, count: length))
        rest = number.magnitude
        for place in (bytes.count - length..<bytes.count).reversed() {
            bytes[place] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        needsComma = true
    }

    package mutating func bool(_ value: Bool) { raw(value ? "true".utf8 : "false".utf8) }
    package mutating func null() { raw("null".utf8) }

    /// A value that is JSON text already.
    package mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    // MARK: - Pieces

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
    }

    /// Copies what needs no escape piece by piece, which is nearly always all of it at once.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = unsafe text[index]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            escape(byte)
            start = index + 1
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C:
            bytes.append(0x5C)
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
        case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
        case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
