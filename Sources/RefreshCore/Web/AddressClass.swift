/// What kind of network an address belongs to, by its number alone.
///
/// Names prove nothing, since a name may lead anywhere; so addresses are asked when a connection is made.
package enum AddressClass: String, Sendable, CaseIterable {
    /// Reachable from everywhere.
    case `public`
    /// This host.
    case loopback
    /// RFC 1918 and unique local addresses.
    case `private`
    /// This link, where clouds keep their metadata (169.254.169.254).
    case linkLocal = "link-local"
    /// A carrier's own network (RFC 6598).
    case shared
    /// No address; Linux connects it to this host.
    case unspecified
    case multicast
    /// Documentation, measurements, the future.
    case reserved

    /// Whether a feed may be fetched from there: from public addresses always, from others where `allowPrivate`,
    /// from multicast never.
    package func isAllowed(allowPrivate: Bool) -> Bool {
        switch self {
        case .public: true
        case .multicast: false
        case .loopback, .private, .linkLocal, .shared, .unspecified, .reserved: allowPrivate
        }
    }

    /// The class of an address whose first byte is the most significant one (IANA IPv4 special-purpose registry).
    package static func classify(ipv4 address: UInt32) -> AddressClass {
        ipv4Blocks.first { address & $0.mask == $0.start }?.kind ?? .public
    }

    /// The class of an address of 16 bytes in network order (IANA IPv6 special-purpose registry); one that holds an
    /// IPv4 address is what that one is. Other counts of bytes are reserved.
    package static func classify(ipv6 address: [UInt8]) -> AddressClass {
        guard address.count == 16 else { return .reserved }
        if address.allSatisfy({ $0 == 0 }) { return .unspecified }
        if address.dropLast().allSatisfy({ $0 == 0 }), address[15] == 1 { return .loopback }
        for form in embeddedForms where address.starts(with: form.prefix) {
            return classify(ipv4: UInt32(bigEndian: address[form.place..<form.place + 4]))
        }
        if let block = ipv6Blocks.first(where: { $0.contains(address) }) { return block.kind }
        // 2000::/3 is all that was ever given out as global unicast.
        return address[0] >> 5 == 1 ? .public : .reserved
    }

    // MARK: - Tables

    private struct IPv4Block {
        let start: UInt32
        let mask: UInt32
        let kind: AddressClass

        init(_ a: UInt32, _ b: UInt32, _ c: UInt32, bits: UInt32, _ kind: AddressClass) {
            start = a << 24 | b << 16 | c << 8
            mask = ~0 << (32 - bits)
            self.kind = kind
        }
    }

    private static let ipv4Blocks = [
        IPv4Block(0, 0, 0, bits: 8, .unspecified), IPv4Block(10, 0, 0, bits: 8, .private),
        IPv4Block(100, 64, 0, bits: 10, .shared), IPv4Block(127, 0, 0, bits: 8, .loopback),
        IPv4Block(169, 254, 0, bits: 16, .linkLocal), IPv4Block(172, 16, 0, bits: 12, .private),
        IPv4Block(192, 0, 0, bits: 24, .reserved), IPv4Block(192, 0, 2, bits: 24, .reserved),
        IPv4Block(192, 88, 99, bits: 24, .reserved), IPv4Block(192, 168, 0, bits: 16, .private),
        IPv4Block(198, 18, 0, bits: 15, .reserved), IPv4Block(198, 51, 100, bits: 24, .reserved),
        IPv4Block(203, 0, 113, bits: 24, .reserved), IPv4Block(224, 0, 0, bits: 4, .multicast),
        IPv4Block(240, 0, 0, bits: 4, .reserved),
    ]

    /// Prefixes behind which an IPv4 address stands at `place`.
    private static let embeddedForms: [(prefix: [UInt8], place: Int)] = [
        // ::ffff:0:0/96, mapped, and ::ffff:0:0:0/96, translated (RFC 4291, RFC 2765).
        ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 12), ([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0], 12),
        // ::/96, compatible, and 64:ff9b::/96, NAT64 (RFC 6052).
        ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 12), ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 12),
        // 2002::/16, 6to4 (RFC 3056).
        ([0x20, 0x02], 2),
    ]

    private struct IPv6Block {
        let start: [UInt8]
        let bits: Int
        let kind: AddressClass

        init(_ start: [UInt8], bits: Int, _ kind: AddressClass) {
            self.start = start
            self.bits = bits
            self.kind = kind
        }

        /// `start` has as many bytes as `bits` need.
        func contains(_ address: [UInt8]) -> Bool {
            start.indices.allSatisfy { index in
                let bitsHere = min(8, bits - index * 8)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bitsHere)
                return address[index] & mask == start[index] & mask
            }
        }
    }

    private static let ipv6Blocks = [
        IPv6Block([0xFC], bits: 7, .private), IPv6Block([0xFE, 0x80], bits: 10, .linkLocal),
        // Site-local addresses are deprecated (RFC 3879), but some routers still know them.
        IPv6Block([0xFE, 0xC0], bits: 10, .private), IPv6Block([0xFF], bits: 8, .multicast),
        // A network's own NAT64 (RFC 8215).
        IPv6Block([0, 0x64, 0xFF, 0x9B, 0, 1], bits: 48, .private),
        // IETF protocols with Teredo, then documentation.
        IPv6Block([0x20, 0x01, 0], bits: 23, .reserved),
        IPv6Block([0x20, 0x01, 0x0D, 0xB8], bits: 32, .reserved),
        IPv6Block([0x3F, 0xFF, 0], bits: 20, .reserved),
    ]
}
