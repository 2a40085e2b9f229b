import CCurl
import RefreshCore

/// The address at the other end of a connection, judged by its number and never by a name (threat T-U5).
struct PeerAddress: Equatable, Sendable {
    let text: String
    private let kind: AddressClass?

    /// Whether a request may connect there; a Unix socket or a proxy was named by the file, so it may.
    func isAllowed(to hop: Hop) -> Bool {
        hop.unixSocket != nil || hop.proxy != nil || kind?.isAllowed(allowPrivate: hop.allowPrivate) == true
    }

    /// The address that libcurl is about to open a connection to.
    init(_ address: UnsafePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = unsafe refreshd_address_bytes(address, &bytes)
        self.init(family: family, bytes, text: nil)
    }

    /// The address, in text, that a connection leads to; perhaps a pooled one that somebody else opened.
    init(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        // A link-local address carries its interface behind a percent sign.
        let family = unsafe refreshd_parse_address(String(text.prefix { $0 != "%" }), &bytes)
        self.init(family: family, bytes, text: text)
    }

    private init(family: Int32, _ bytes: [UInt8], text: String?) {
        switch family {
        case AF_INET:
            kind = AddressClass.classify(ipv4: UInt32(bigEndian: bytes.prefix(4)))
            self.text = text ?? bytes.prefix(4).map { String($0) }.joined(separator: ".")
        case AF_INET6:
            kind = AddressClass.classify(ipv6: bytes)
            self.text = text ?? PeerAddress.ipv6(bytes)
        default:
            kind = nil
            self.text = text ?? "an address of another family"
        }
    }

    private static func ipv6(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":")
    }
}
