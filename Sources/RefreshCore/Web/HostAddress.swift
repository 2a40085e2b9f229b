/// An address written out as a URL's host.
package enum HostAddress: Hashable, Sendable {
    case ipv4(UInt32)
    /// 16 bytes in network order.
    case ipv6([UInt8])

    /// Reads the host of a `WebURL`: `192.0.2.1` or `[2001:db8::1]`; nil for a name.
    package init?(host: String) {
        let bytes = Array(host.utf8)
        if bytes.first == 0x5B, bytes.last == 0x5D {
            guard let address = HostAddress.readIPv6(bytes[1..<(bytes.count - 1)]) else { return nil }
            self = .ipv6(address)
        } else {
            guard let address = HostAddress.readIPv4(bytes[...]) else { return nil }
            self = .ipv4(address)
        }
    }

    package var addressClass: AddressClass {
        switch self {
        case .ipv4(let address): AddressClass.classify(ipv4: address)
        case .ipv6(let address): AddressClass.classify(ipv6: address)
        }
    }

    /// As a URL's host has it; IPv6 shortened as RFC 5952 says.
    package var text: String {
        switch self {
        case .ipv4(let address):
            [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
        case .ipv6(let address): "[\(HostAddress.text(ipv6: address))]"
        }
    }

    /// Four decimal numbers and nothing else: other spellings mean different addresses to different programs.
    static func readIPv4(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit),
                part.first != 0x30 || part.count == 1
            else { return nil }
            let number = part.reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
            guard number <= 255 else { return nil }
            address = address << 8 | number
        }
        return address
    }

    /// RFC 4291, 2.2, all three forms; no zone.
    static func readIPv6(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var groups: [UInt16] = []
        var gap: Int?
        var place = bytes.startIndex
        if bytes.starts(with: [0x3A, 0x3A]) {
            gap = 0
            place += 2
        }
        while place < bytes.endIndex {
            let end = bytes[place...].firstIndex(of: 0x3A) ?? bytes.endIndex
            let part = bytes[place..<end]
            if end == bytes.endIndex, part.contains(0x2E) {
                guard let address = readIPv4(part) else { return nil }
                groups += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
                break
            }
            guard let group = readGroup(part), groups.count < 8 else { return nil }
            groups.append(group)
            guard end < bytes.endIndex else { break }
            place = end + 1
            if place < bytes.endIndex, bytes[place] == 0x3A {
                guard gap == nil else { return nil }
                gap = groups.count
                place += 1
            } else if place == bytes.endIndex {
                return nil
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        return groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func readGroup(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count) else { return nil }
        var group: UInt16 = 0
        for digit in digits {
            guard let value = ASCII.hexValue(digit) else { return nil }
            group = group << 4 | UInt16(value)
        }
        return group
    }

    private static func text(ipv6 address: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(address[$0]) << 8 | UInt16(address[$0 + 1]) }
        // The first of the longest runs of at least two zero groups becomes "::" (RFC 5952, 4.2).
        var longest = 0..<1
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        let texts = groups.map { String($0, radix: 16) }
        guard longest.count >= 2 else { return texts.joined(separator: ":") }
        return texts[..<longest.lowerBound].joined(separator: ":") + "::"
            + texts[longest.upperBound...].joined(separator: ":")
    }
}
