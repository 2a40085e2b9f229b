import RefreshCore
import Testing

@testable import RefreshTransfer

@Suite("Redirects, decided") struct RedirectPolicyTests {
    struct Hop: Sendable {
        let status: Int
        let location: String?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var from = "https://a.example/feed"
        var limit = 10
        let hops: [Hop]
        let ends: RedirectPolicy.Step
        var at: String?
        var permanent: String?
        var leaves = false

        var testDescription: String { name }
    }

    static func hop(_ status: Int, _ location: String?) -> Hop { Hop(status: status, location: location) }

    static let cases = [
        Case(name: "200 is the answer", hops: [hop(200, "/elsewhere")], ends: .answer),
        Case(name: "304 is the answer", hops: [hop(304, "/elsewhere")], ends: .answer),
        Case(name: "300 is the answer", hops: [hop(300, "/elsewhere")], ends: .answer),
        Case(name: "a redirect to nowhere is the answer", hops: [hop(302, nil)], ends: .answer),
        Case(
            name: "302 is followed and leaves no trace", hops: [hop(302, "/b")], ends: .follow,
            at: "https://a.example/b"),
        Case(
            name: "303 and 307 are followed", hops: [hop(303, "/b"), hop(307, "c")], ends: .follow,
            at: "https://a.example/c"),
        Case(
            name: "301 and 308 name a permanent target", hops: [hop(301, "/b"), hop(308, "/c")],
            ends: .follow,
            at: "https://a.example/c", permanent: "https://a.example/c"),
        Case(
            name: "a temporary hop ends the permanent run",
            hops: [hop(301, "/b"), hop(302, "/c"), hop(301, "/d")],
            ends: .follow, at: "https://a.example/d", permanent: "https://a.example/b"),
        Case(
            name: "a temporary first hop leaves nothing permanent", hops: [hop(302, "/b"), hop(301, "/c")],
            ends: .follow, at: "https://a.example/c"),
        Case(
            name: "another host is another origin", hops: [hop(301, "https://b.example/")], ends: .follow,
            at: "https://b.example/", permanent: "https://b.example/", leaves: true),
        Case(
            name: "another port is another origin", hops: [hop(302, "https://a.example:8443/")],
            ends: .follow,
            at: "https://a.example:8443/", leaves: true),
        Case(
            name: "another scheme is another origin", from: "http://a.example/",
            hops: [hop(302, "https://a.example/")], ends: .follow, at: "https://a.example/", leaves: true),
        Case(
            name: "who has left stays a stranger on the way back",
            hops: [hop(302, "https://b.example/"), hop(302, "https://a.example/back")], ends: .follow,
            at: "https://a.example/back", leaves: true),
        Case(
            name: "a target relative to the last hop",
            hops: [hop(302, "https://b.example/x/y"), hop(302, "z?q=1")],
            ends: .follow, at: "https://b.example/x/z?q=1", leaves: true),
        Case(
            name: "https to http is refused", hops: [hop(302, "http://a.example/feed")],
            ends: .refuse(.redirectRefused(reason: "it leads from https to http://a.example/feed"))),
        Case(
            name: "https to http is refused behind another hop",
            hops: [hop(302, "https://b.example/"), hop(302, "http://b.example/s?token=1")],
            ends: .refuse(.redirectRefused(reason: "it leads from https to http://b.example/s")),
            at: "https://b.example/", leaves: true),
        Case(
            name: "a feed of plain http may come back to it", from: "http://a.example/",
            hops: [hop(302, "https://b.example/"), hop(302, "http://c.example/")], ends: .follow,
            at: "http://c.example/", leaves: true),
        Case(
            name: "a loop of one", hops: [hop(302, "/feed")],
            ends: .refuse(.redirectLoop(at: "https://a.example/feed"))),
        Case(
            name: "a loop of two", hops: [hop(302, "/b"), hop(302, "/feed#again")],
            ends: .refuse(.redirectLoop(at: "https://a.example/feed")), at: "https://a.example/b"),
        Case(
            name: "as many hops as allowed", limit: 2, hops: [hop(302, "/1"), hop(302, "/2")], ends: .follow,
            at: "https://a.example/2"),
        Case(
            name: "one hop too many", limit: 2, hops: [hop(302, "/1"), hop(302, "/2"), hop(302, "/3")],
            ends: .refuse(.tooManyRedirects(limit: 2)), at: "https://a.example/2"),
        Case(
            name: "no hop allowed", limit: 0, hops: [hop(302, "/1")],
            ends: .refuse(.tooManyRedirects(limit: 0))),
    ]

    @Test("end where the chain says", arguments: cases)
    func follows(_ item: Case) throws {
        var policy = RedirectPolicy(
            TransferRequest(
                url: try WebURL(parsing: item.from), limits: limits { $0.hops = item.limit }, userAgent: "t"))
        var last = RedirectPolicy.Step.answer
        for hop in item.hops { last = policy.judge(status: hop.status, location: hop.location) }
        #expect(last == item.ends)
        #expect(policy.url.description == item.at ?? item.from)
        #expect(policy.permanentTarget?.description == item.permanent)
        #expect(policy.hasLeftOrigin == item.leaves)
    }

    @Test(
        "lead to http and https alone",
        arguments: [
            "file:///etc/passwd", "gopher://a.example/", "ftp://a.example/", "dict://a.example/",
            "javascript:1",
            "https://", "https://user:pw@a.example/",
        ])
    func refusesSchemes(_ location: String) throws {
        var policy = RedirectPolicy(
            TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t"))
        guard case .refuse(.redirectRefused) = policy.judge(status: 302, location: location) else {
            Issue.record("\(location) was followed")
            return
        }
    }

    struct Write: Sendable, CustomTestStringConvertible {
        let status: Int
        let location: String
        let step: RedirectPolicy.Step
        var method = "POST"
        var testDescription: String { "\(status) to \(location)" }
    }

    @Test(
        "repeat what is no reading within its origin, where the server says so plainly",
        arguments: ["POST", "PUT", "DELETE", "PATCH"],
        [
            Write(status: 307, location: "/b", step: .follow),
            Write(status: 308, location: "/b", step: .follow),
            Write(status: 303, location: "/b", step: .follow, method: "GET"),
            Write(status: 303, location: "https://b.example/", step: .follow, method: "GET"),
        ])
    func repeatsWrites(_ method: String, _ item: Write) throws {
        var policy = RedirectPolicy(
            TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t", method: method))
        let step = policy.judge(status: item.status, location: item.location)
        #expect(step == item.step)
        #expect(policy.method == (item.status == 303 ? "GET" : method))
    }

    @Test(
        "refuse to guess what a write should become, and to take it elsewhere",
        arguments: ["POST", "PUT", "DELETE", "PATCH"],
        [(301, "/b"), (302, "/b"), (307, "https://b.example/"), (308, "https://a.example:444/")])
    func refusesWrites(_ method: String, _ redirect: (status: Int, location: String)) throws {
        var policy = RedirectPolicy(
            TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t", method: method))
        guard
            case .refuse(.redirectRefused) = policy.judge(
                status: redirect.status, location: redirect.location)
        else {
            Issue.record("followed")
            return
        }
    }

    @Test("ask for the head alone all along")
    func keepsHead() throws {
        var policy = RedirectPolicy(
            TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t", method: "HEAD"))
        let step = policy.judge(status: 303, location: "/b")
        #expect(step == .follow && policy.method == "HEAD")
    }

    @Test(
        "stay at home where the file says so", arguments: ["https://b.example/", "https://a.example:444/"])
    func denies(_ location: String) throws {
        var request = TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t")
        request.mayLeaveOrigin = false
        var policy = RedirectPolicy(request)
        let near = policy.judge(status: 301, location: "/near")
        #expect(near == .follow)
        guard case .refuse(.redirectRefused(let reason)) = policy.judge(status: 301, location: location)
        else {
            Issue.record("followed")
            return
        }
        #expect(reason.contains("deny"))
    }

    // miniflux/v2#1512, mmcdole/gofeed#181, Athou/commafeed#2198: A leads to B, which sets a cookie and leads to A.
    @Test("call it a loop where URL and cookies are the same, and only there")
    func loopsByCookies() throws {
        let origin = try WebURL(parsing: "https://a.example/").origin
        var request = TransferRequest(url: try WebURL(parsing: "https://a.example/"), userAgent: "t")
        request.cookies = CookieJar()
        var policy = RedirectPolicy(request)
        var jar = CookieJar()
        let there = policy.judge(status: 302, location: "/b", cookies: jar)
        jar.replace(["a.example\tFALSE\t/\tFALSE\t17\tseen\t1"], for: origin)
        let back = policy.judge(status: 302, location: "/", cookies: jar)
        // The same cookie, with another end of its life.
        jar.replace(["a.example\tFALSE\t/\tFALSE\t18\tseen\t1"], for: origin)
        let onward = policy.judge(status: 302, location: "/b", cookies: jar)
        let again = policy.judge(status: 302, location: "/", cookies: jar)
        #expect([there, back, onward] == [.follow, .follow, .follow])
        #expect(again == .refuse(.redirectLoop(at: "https://a.example/")))
    }

    @Test("never leave a Unix socket for another host")
    func staysOnSocket() throws {
        var policy = RedirectPolicy(
            TransferRequest(
                url: try WebURL(parsing: "http://localhost/"), userAgent: "t", unixSocket: "/run/s"))
        let near = policy.judge(status: 302, location: "/b")
        #expect(near == .follow)
        let far = policy.judge(status: 302, location: "http://b.example/")
        #expect(
            far
                == .refuse(
                    .redirectRefused(reason: "it leads away from the Unix socket, to http://b.example/")))
    }
}
