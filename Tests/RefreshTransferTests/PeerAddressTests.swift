import RefreshCore
import Testing

@testable import RefreshTransfer

@Suite("Addresses of peers") struct PeerAddressTests {
    private static func hop(allowPrivate: Bool, unixSocket: String? = nil) throws -> Hop {
        let request = TransferRequest(
            url: try WebURL(parsing: "https://a.example/"), allowPrivate: allowPrivate, userAgent: "t",
            unixSocket: unixSocket)
        return try Hop(request, RedirectPolicy(request), remaining: .seconds(1))
    }

    @Test(
        "that are not public need leave",
        arguments: [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
            "::1",
            "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::",
        ])
    func notPublic(_ address: String) throws {
        #expect(!PeerAddress(address).isAllowed(to: try Self.hop(allowPrivate: false)))
        #expect(PeerAddress(address).isAllowed(to: try Self.hop(allowPrivate: true)))
    }

    @Test("that are public are reached", arguments: ["93.184.216.34", "2606:2800:220:1::1"])
    func isPublic(_ address: String) throws {
        #expect(PeerAddress(address).isAllowed(to: try Self.hop(allowPrivate: false)))
    }

    @Test("that are none are refused, with leave or without", arguments: ["", "localhost", "1.2.3", "127.1"])
    func none(_ address: String) throws {
        #expect(!PeerAddress(address).isAllowed(to: try Self.hop(allowPrivate: false)))
        #expect(!PeerAddress(address).isAllowed(to: try Self.hop(allowPrivate: true)))
    }

    @Test("do not matter on a Unix socket")
    func socket() throws {
        #expect(PeerAddress("").isAllowed(to: try Self.hop(allowPrivate: false, unixSocket: "/run/s")))
    }
}
