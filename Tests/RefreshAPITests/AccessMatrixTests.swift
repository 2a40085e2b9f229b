import CLinux
import RefreshCore
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

/// Every user at every socket before every endpoint of every feed. Runs curl as other users, so it needs root.
@Suite(
    "Users, sockets, endpoints, feeds", .timeLimit(.minutes(2)),
    .enabled(if: geteuid() == 0, "only root can become another user"))
struct AccessMatrixTests {
    /// Somebody, and what the rules of the rig below let him do.
    private struct Somebody: Sendable, CustomTestStringConvertible {
        let name: String
        let user: UInt32
        var group: UInt32 = 55_000
        /// At the control socket; the other one gives no more than `operate`.
        let right: Right?
        /// By feed where it is another right; nil: the feed is not there.
        var onFeed: [String: Right?] = [:]
        var testDescription: String { name }
    }

    private static let admins: UInt32 = 55_100
    private static let insiders: UInt32 = 55_101

    /// `open` is everybody's; `shop` has readers, of whom one may drive it.
    private static let people = [
        Somebody(name: "root", user: 0, right: .control),
        Somebody(name: "the daemon's user", user: 55_001, right: .control),
        Somebody(name: "an administrator by group", user: 55_002, group: admins, right: .control),
        Somebody(name: "an operator", user: 55_003, right: .operate, onFeed: ["shop": nil]),
        Somebody(name: "a reader", user: 55_004, right: .read, onFeed: ["shop": nil]),
        Somebody(name: "an insider by group", user: 55_005, group: insiders, right: .read),
        Somebody(name: "who drives the shop", user: 55_006, right: .read, onFeed: ["shop": Right.operate]),
        Somebody(name: "a stranger", user: 55_007, right: nil),
    ]

    private static func access() throws -> Access {
        Access(
            owner: 55_001,
            read: Principals(users: [55_003, 55_004, 55_006], groups: [insiders]),
            operate: Principals(users: [55_003]), control: Principals(groups: [admins]),
            feeds: [
                try #require(FeedID("shop")): .init(
                    readers: Principals(groups: [insiders]), operators: Principals(users: [55_006]))
            ])
    }

    private struct Question {
        let route: Route
        let feed: String?
        let target: String
    }

    /// Every route, of each feed where it names one. A stream has no end, and is asked for by HEAD.
    private static let questions: [Question] = RouteTable.routes.flatMap { route -> [Question] in
        (route.namesFeed ? ["open", "shop"] : [nil]).map { feed in
            let segments = route.path.map { part in
                switch part {
                case .literal(let name): name
                case .feed: feed ?? ""
                default: "c"
                }
            }
            return Question(route: route, feed: feed, target: "/" + segments.joined(separator: "/"))
        }
    }

    /// Whether the answer may come about, from the rules as the documentation tells them.
    private static func expects(
        _ status: Int, of somebody: Somebody, at level: Right, _ question: Question
    ) -> Bool {
        guard let common = somebody.right else { return status == 403 }
        let needed = question.route.right
        var right = min(common, level)
        if let feed = question.feed, let own = somebody.onFeed[feed] {
            guard let own else {
                // It is as if it were not there; what is beyond the common right may be refused before it is looked for.
                return status == 404 || (needed > right && status == 403)
            }
            right = min(own, level)
        }
        // Others have looked into what is answered to those who may.
        guard right >= needed else { return status == 403 }
        // None of these feeds is a document.
        if question.route.endpoint == .document { return status == 404 }
        return ![403, 404, 405, 500].contains(status)
    }

    @Test("each gets what its rights allow and nothing else", arguments: people)
    private func matrix(_ somebody: Somebody) async throws {
        try await Rig.with(
            control: FakeControl(
                immediate: .unchanged, reload: .busy,
                backup: .written(
                    BackupFolder.Report(folder: "/b", name: "n", files: [], dropped: []), kept: 1, took: .zero
                )),
            access: AccessMatrixTests.access()
        ) { rig in
            try await rig.commit("open", [("c", "1")])
            #expect(unsafe chmod(rig.folder.path, 0o755) == 0)
            for (name, level) in [("api.sock", Right.operate), ("control.sock", .control)] {
                #expect(unsafe chmod(rig.folder.path(name), 0o666) == 0)
                let statuses = try await ask(rig.folder.path(name), as: somebody)
                try #require(statuses.count == AccessMatrixTests.questions.count)
                for (status, question) in zip(statuses, AccessMatrixTests.questions) {
                    #expect(
                        AccessMatrixTests.expects(status, of: somebody, at: level, question),
                        "\(status) for \(question.route.method.rawValue) \(question.target) at \(name)")
                }
            }
        }
    }

    /// The statuses of all questions, asked by one curl that runs as somebody.
    private func ask(_ socket: String, as somebody: Somebody) async throws -> [Int] {
        var arguments = [
            "--reuid=\(somebody.user)", "--regid=\(somebody.group)", "--clear-groups", "/usr/bin/curl",
        ]
        for (index, question) in AccessMatrixTests.questions.enumerated() {
            if index > 0 { arguments.append("--next") }
            arguments += [
                "-sS", "--max-time", "10", "--unix-socket", socket, "-o", "/dev/null", "-w",
                "\(index) %{http_code}\n",
            ]
            switch question.route.method {
            case .get where question.route.endpoint == .events:
                // What would be streamed ends the connection, and curl must not go on with it.
                arguments += ["--head", "-H", "Connection: close"]
            case .get: break
            default:
                arguments += [
                    "-X", question.route.method.rawValue, "-H", "Content-Type: application/json", "-d", "{}",
                ]
            }
            arguments.append("http://localhost\(question.target)")
        }
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let curl = try ChildProcess("/usr/bin/setpriv", arguments, in: folder)
        #expect(await curl.wait() == .exited(0), "\(curl.errors)")
        return curl.output.split(separator: "\n").enumerated().compactMap { index, line in
            let words = line.split(separator: " ")
            return words.first.map(String.init) == "\(index)" ? words.last.flatMap { Int($0) } : nil
        }
    }
}
