/// The FNV-1a hash (Fowler, Noll, Vo): small check values that need no library and no secret.
package enum FNV {
    package static func hash32(_ bytes: some Collection<UInt8>) -> UInt32 { bytes.withSpan(hash32) }
    package static func hash64(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.withSpan(hash64) }

    package static func hash64(_ text: String) -> UInt64 { hash64(text.utf8.span) }

    private static func hash32(_ bytes: Span<UInt8>) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return hash
    }

    private static func hash64(_ bytes: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
