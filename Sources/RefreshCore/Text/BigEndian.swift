/// Fixed-width numbers in byte strings, most significant byte first.
extension [UInt8] {
    @inlinable package mutating func append<Number: FixedWidthInteger & UnsignedInteger>(
        bigEndian number: Number
    ) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number that `bytes` spell; the caller passes as many as the type has.
    @inlinable package init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { ($0 << 8) | Self($1) }
    }
}
