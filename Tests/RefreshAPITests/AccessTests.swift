import RefreshCore
import Testing

@testable import RefreshAPI

@Suite("Who may do what") struct AccessTests {
    static let owner = Peer(user: 990, group: 990, process: 7)
    static let root = Peer(user: 0, group: 0, process: 0)
    static let admin = Peer(user: 1_001, group: 1_001, groups: [100, 50], process: 8)
    static let reader = Peer(user: 1_002, group: 60, process: 9)
    static let other = Peer(user: 1_003, group: 1_003, process: 10)

    private static let access = Access(
        owner: 990, read: Principals(groups: [60, 61]), operate: Principals(users: [1_004]),
        control: Principals(groups: [50]))

    @Test(
        "the lower of the socket's level and the rule counts",
        arguments: [
            ("root", root, Right.control, .control), ("root at the common socket", root, .operate, .operate),
            ("the daemon's user", owner, .control, .control),
            ("one of a group, supplementary", admin, .control, .control),
            ("the same at a reader's socket", admin, .read, .read),
            ("one of a group, primary", reader, .control, .read),
            ("one whom no rule names", other, .control, nil), ("nobody known", nil, .control, nil),
            ("an operator", Peer(user: 1_004, group: 1, process: 1), .control, .operate),
        ] as [(String, Peer?, Right, Right?)])
    func rights(_ name: String, _ peer: Peer?, _ level: Right, _ right: Right?) {
        #expect(AccessTests.access.right(of: peer, at: level) == right, "\(name)")
    }

    @Test("without a rule for readers whoever the socket lets in may read")
    func everybody() {
        let access = Access(owner: 990)
        #expect(access.right(of: AccessTests.other, at: .control) == .read)
        #expect(access.right(of: AccessTests.root, at: .control) == .control)
        #expect(access.right(of: nil, at: .control) == nil)
        #expect(!access.hidesFeeds)
    }

    @Test(
        "a feed's own lists hide it, and say who drives it",
        arguments: [
            ("open", reader, .read), ("open", admin, .control),
            ("hidden", reader, nil), ("hidden", other, nil), ("hidden", root, .control),
            ("hidden", admin, .control), ("hidden", Peer(user: 1_005, group: 60, process: 1), .read),
            ("driven", reader, .read), ("driven", Peer(user: 7, group: 61, process: 1), .operate),
            ("driven", Peer(user: 1_004, group: 60, process: 1), .read),
            ("both", Peer(user: 7, group: 61, process: 1), .operate), ("both", reader, nil),
        ] as [(String, Peer, Right?)])
    func feeds(_ feed: String, _ peer: Peer, _ right: Right?) throws {
        let access = Access(
            owner: 990, read: Principals(groups: [60, 61]), operate: Principals(users: [1_004]),
            control: Principals(groups: [50]),
            feeds: [
                try #require(FeedID("hidden")): .init(readers: Principals(users: [1_005])),
                try #require(FeedID("driven")): .init(operators: Principals(groups: [61])),
                try #require(FeedID("both")): .init(
                    readers: Principals(users: [1_005]), operators: Principals(groups: [61])),
            ])
        #expect(access.hidesFeeds)
        #expect(access.right(of: peer, at: .control, on: try #require(FeedID(feed))) == right)
    }

    @Test(
        "a map of users that is not the identity is known as such",
        arguments: [
            ("         0          0 4294967295\n", true), ("         0     100000      65536\n", false),
            ("0 0 1\n1 1 4294967294\n", false), ("", false),
        ])
    func userMap(_ map: String, _ isIdentity: Bool) { #expect(UserMap.isIdentity(map) == isIdentity) }

    @Test("names become numbers, and what the system does not know lets nobody in")
    func names() {
        var list = AccessList()
        list.users = ["root", "4711", "no-such-user-here"]
        list.groups = ["root", "no-such-group-here"]
        var unknown: [String] = []
        let principals = Principals(list) { unknown.append($0) }
        #expect(principals == Principals(users: [0, 4_711], groups: [0]))
        #expect(unknown == ["user \"no-such-user-here\"", "group \"no-such-group-here\""])
    }
}
