/// Letters, digits and white space of ASCII, on bytes.
///
/// A generic call across modules goes through witness tables, byte by byte; so the loops stand on spans.
package enum ASCII {
    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    package static func equalIgnoringCase(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Bool {
        left.withSpan { left in right.withSpan { equalIgnoringCase(left, $0) } }
    }

    package static func equalIgnoringCase(_ left: String.UTF8View, _ right: String.UTF8View) -> Bool {
        equalIgnoringCase(left.span, right.span)
    }

    private static func equalIgnoringCase(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where lowercased(left[index]) != lowercased(right[index]) { return false }
        return true
    }

    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Space, tab, line feed, form feed, carriage return.
    @inlinable package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    /// `bytes` without white space at either end.
    @inlinable package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes)
        -> Bytes.SubSequence
    {
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes[bytes.endIndex...] }
        return bytes[first...last]
    }
}
