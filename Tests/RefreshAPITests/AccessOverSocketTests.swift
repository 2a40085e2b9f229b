import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

/// Runs curl as other users, so it needs root.
@Suite(
    "Users, sockets, feeds", .timeLimit(.minutes(1)),
    .enabled(if: geteuid() == 0, "only root can become another user"))
struct AccessOverSocketTests {
    private static let reader: UInt32 = 54_001
    private static let operatorUser: UInt32 = 54_002
    private static let admin: UInt32 = 54_003
    private static let insider: UInt32 = 54_004
    private static let stranger: UInt32 = 54_005
    private static let group: UInt32 = 54_100

    private static func access() throws -> Access {
        Access(
            owner: 54_999,
            read: Principals(users: [reader, operatorUser, admin, insider]),
            operate: Principals(users: [operatorUser]), control: Principals(groups: [group]),
            feeds: [try #require(FeedID("shop")): .init(readers: Principals(users: [insider]))])
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let user: UInt32
        let group: UInt32
        let socket: String
        let method: String
        let path: String
        let status: String

        init(
            _ user: UInt32, _ socket: String, _ path: String, _ status: Int, method: String = "GET",
            group: UInt32 = 54_001
        ) {
            self.user = user
            self.group = group
            self.socket = socket
            self.method = method
            self.path = path
            self.status = "\(status)"
        }

        var testDescription: String { "\(user):\(group) \(socket) \(method) \(path)" }
    }

    private static let refresh = "/v1/feeds/empty/refresh"
    private static let cases: [Case] =
        [
            Case(0, "api.sock", "/v1/feeds/shop/items", 200),
            Case(reader, "api.sock", "/v1/feeds/empty", 200),
            Case(reader, "api.sock", "/v1/feeds/shop", 404),
            Case(reader, "api.sock", "/v1/feeds/shop/items", 404),
            Case(reader, "api.sock", "/v1/feeds/shop/items/c", 404),
            Case(reader, "api.sock", "/v1/feeds/shop/changes", 404),
            Case(reader, "api.sock", "/v1/feeds/shop/document", 404),
            Case(insider, "api.sock", "/v1/feeds/shop/items/c", 200),
            Case(reader, "api.sock", refresh, 403, method: "POST"),
            Case(operatorUser, "api.sock", refresh, 202, method: "POST"),
            Case(stranger, "api.sock", "/v1/status", 403),
            Case(stranger, "api.sock", "/healthz", 403),
            Case(admin, "api.sock", "/v1/feeds/shop/items", 200, group: group),
            Case(admin, "control.sock", refresh, 202, method: "POST", group: group),
            Case(reader, "control.sock", refresh, 403, method: "POST"),
            Case(stranger, "control.sock", "/v1/status", 403),
        ] + schema + control

    private static let schema = [
        Case(reader, "api.sock", "/v1/schema/config.json", 200),
        Case(stranger, "api.sock", "/v1/schema/config.json", 403),
    ]

    /// What only those may who run the host, and only at their socket.
    private static let control: [Case] = {
        let posts = [
            "/v1/reload", "/v1/backup", "/v1/log-level", "/v1/config/check", "/v1/feeds/empty/pause",
            "/v1/feeds/shop/purge", "/v1/feeds/shop/reset",
        ]
        // The body that these tests send has a member which none of them knows.
        return (posts.map { ($0, "POST", 400) } + [("/v1/config", "GET", 200)]).flatMap {
            path, method, good in
            [
                Case(0, "control.sock", path, good, method: method),
                Case(admin, "control.sock", path, good, method: method, group: group),
                Case(admin, "api.sock", path, 403, method: method, group: group),
                Case(0, "api.sock", path, 403, method: method),
                Case(operatorUser, "control.sock", path, 403, method: method),
                Case(reader, "control.sock", path, 403, method: method),
                Case(stranger, "control.sock", path, 403, method: method),
            ]
        }
    }()

    @Test("each sees and does what its rights allow", arguments: cases)
    private func matrix(_ item: Case) async throws {
        try await Rig.with(control: FakeControl(), access: AccessOverSocketTests.access()) { rig in
            let (status, _) = try await ask(rig, item)
            #expect(status == item.status)
        }
    }

    @Test("a list of feeds leaves out those that one may not see, whoever asked before")
    func lists() async throws {
        try await Rig.with(access: AccessOverSocketTests.access()) { rig in
            for (user, names) in [
                (0, ["empty", "shop"]), (AccessOverSocketTests.reader, ["empty"]),
                (AccessOverSocketTests.insider, ["empty", "shop"]),
            ] {
                let (_, body) = try await ask(rig, Case(user, "api.sock", "/v1/feeds", 200))
                for name in ["empty", "shop"] {
                    #expect(body.contains("\"name\":\"\(name)\"") == names.contains(name), "\(user)")
                }
                let (_, status) = try await ask(rig, Case(user, "api.sock", "/v1/status", 200))
                #expect(status.contains("\"total\":\(names.count)"))
            }
        }
    }

    @Test("other rules hold from the moment at which they are put in place")
    func replaced() async throws {
        let rules = LiveAccess(Access(owner: 54_999))
        try await Rig.with(rules: rules) { rig in
            let asked = Case(AccessOverSocketTests.reader, "api.sock", "/v1/feeds/shop/items", 200)
            #expect(try await ask(rig, asked).status == "200")
            rules.replace(by: try AccessOverSocketTests.access())
            #expect(try await ask(rig, asked).status == "404")
        }
    }

    /// The status and the body of an answer to curl, run as the user of the case.
    private func ask(_ rig: Rig, _ item: Case) async throws -> (status: String, body: String) {
        for name in ["api.sock", "control.sock"] {
            #expect(unsafe chmod(rig.folder.path(name), 0o666) == 0)
        }
        #expect(unsafe chmod(rig.folder.path, 0o755) == 0)
        var arguments = [
            "--reuid=\(item.user)", "--regid=\(item.group)", "--clear-groups",
            "/usr/bin/curl", "-sS", "--max-time", "10", "--unix-socket", rig.folder.path(item.socket),
            "-w", "\n%{http_code}", "-X", item.method,
        ]
        if item.method == "POST" {
            arguments += ["-H", "Content-Type: application/json", "-d", #"{"wait":"none"}"#]
        }
        arguments.append("http://localhost\(item.path)")
        let folder = TemporaryFolder()
        let curl = try ChildProcess("/usr/bin/setpriv", arguments, in: folder)
        #expect(await curl.wait() == .exited(0))
        let text = curl.output
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }
}
