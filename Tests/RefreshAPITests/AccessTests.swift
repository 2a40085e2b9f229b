import Testing

@testable import RefreshAPI

@Suite("Who may do what") struct AccessTests {
    static let owner = Peer(user: 990, group: 990, process: 7)
    static let root = Peer(user: 0, group: 0, process: 0)
    static let other = Peer(user: 1_000, group: 0, process: 8)

    @Test(
        "all may read, root and the daemon's user may do all, an unknown peer nothing",
        arguments: [
            (root, Right.control), (owner, Right.control), (other, Right.read), (nil, nil),
        ] as [(Peer?, Right?)])
    func rights(_ peer: Peer?, _ highest: Right?) {
        let access = Access(owner: 990)
        for right in Right.allCases {
            #expect(access.allows(right, to: peer) == (highest.map { right <= $0 } ?? false))
        }
    }
}
