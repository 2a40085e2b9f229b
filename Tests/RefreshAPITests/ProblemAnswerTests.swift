import RefreshCore
import RefreshStore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("Refusals over the socket", .timeLimit(.minutes(1))) struct ProblemAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let code: String
        var status = 400
        var method = "GET"
        let target: String
        var fields: [String] = []
        var body: String?
        var testDescription: String { "\(method) \(target.prefix(60)) → \(code)" }
    }

    private static let json = ["Content-Type: application/json"]
    private static let wish = "/v1/feeds/shop/refresh"

    static let cases: [Case] = [
        Case(code: "bad-target", target: "/v1/%zz"),
        Case(code: "unknown-parameter", target: "/v1/feeds/shop/items?limti=1"),
        Case(code: "unknown-parameter", target: "/v1/status?x"),
        Case(code: "invalid-parameter", target: "/v1/feeds/shop/items?limit=0"),
        Case(code: "invalid-parameter", target: "/v1/feeds/shop/items?limit=501"),
        Case(code: "invalid-parameter", target: "/v1/feeds/shop/items?limit=1&limit=2"),
        Case(code: "invalid-parameter", target: "/v1/feeds/shop/items?limit=-1"),
        Case(code: "invalid-parameter", target: "/v1/feeds/shop/changes?limit=1001"),
        Case(
            code: "invalid-parameter",
            target: "/v1/feeds/shop/items?" + String(repeating: "key=a&", count: 101)),
        Case(code: "bad-key", target: "/v1/feeds/shop/changes?since=nonsense"),
        Case(code: "bad-cursor", target: "/v1/feeds/shop/items?cursor=nonsense"),
        Case(code: "not-found", status: 404, target: "/v1/nothing"),
        Case(code: "not-found", status: 404, target: "/v1/feeds/"),
        Case(code: "not-found", status: 404, target: "/v1/feeds/shop%2Fitems/x/y/z"),
        Case(code: "unsupported-api-version", status: 404, target: "/v2/feeds"),
        Case(code: "feed-not-found", status: 404, target: "/v1/feeds/nosuch"),
        Case(code: "feed-not-found", status: 404, target: "/v1/feeds/NO/items"),
        Case(code: "item-not-found", status: 404, target: "/v1/feeds/shop/items/nosuch"),
        Case(code: "item-not-found", status: 404, target: "/v1/feeds/shop/items/never-there"),
        Case(code: "never-fetched", status: 503, target: "/v1/feeds/empty/items/a"),
        Case(code: "method-not-allowed", status: 405, method: "DELETE", target: "/v1/feeds"),
        Case(code: "method-not-allowed", status: 405, target: wish),
        Case(code: "method-not-allowed", status: 405, method: "POST", target: "/v1/feeds"),
        Case(code: "foreign-origin", status: 403, target: "/", fields: ["Origin: null"]),
        Case(code: "uri-too-long", status: 414, target: "/" + String(repeating: "a", count: 9_000)),
        Case(
            code: "head-too-large", status: 431, target: "/",
            fields: ["X-Long: " + String(repeating: "a", count: 17_000)]),
        Case(code: "unsupported-media-type", status: 415, method: "POST", target: wish, body: "{}"),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: "[1,]"),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: "[]"),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"mdoe":"now"}"#),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"mode":"soon"}"#),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"wait":1}"#),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"deadline_ms":0}"#),
        Case(
            code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"deadline_ms":60001}"#),
        Case(code: "bad-body", method: "POST", target: wish, fields: json, body: #"{"accept_drop":1}"#),
        Case(
            code: "bad-body", method: "POST", target: wish, fields: json,
            body: #"{"mode":"now","mode":"force"}"#),
        Case(
            code: "feed-not-found", status: 404, method: "POST", target: "/v1/feeds/nosuch/refresh",
            fields: json, body: "{}"),
        Case(
            code: "unknown-parameter", method: "POST", target: wish + "?wait=all", fields: json, body: "{}"),
    ]

    @Test("a mistake gets its code, its status, and nothing but JSON", arguments: cases)
    func refusal(_ item: Case) async throws {
        try await Rig.with { rig in
            let answer = try #require(
                await rig.http.ask(item.method, item.target, headers: item.fields, body: item.body))
            #expect(answer.status == item.status)
            #expect(answer.headers.first("Content-Type") == "application/problem+json")
            #expect(answer.headers.first("Cache-Control") == "no-store")
            #expect((answer.headers.first("Retry-After") != nil) == (item.status == 503))
            let body = try Body(answer)
            #expect(body["code"] == item.code)
            #expect(body["type"] == "urn:refreshd:problem:\(item.code)")
            #expect(body["status"] == "\(item.status)")
            #expect(body["instance"] == answer.headers.first("Refreshd-Request-Id"))
            #expect(rig.control.wishes == [])
        }
    }

    @Test("a refusal says what would do")
    func hints() async throws {
        try await Rig.with { rig in
            let typo = try Body(await rig.http.get("/v1/feeds/shop/items?limti=1"))
            #expect(typo["detail"]?.contains("key, cursor, limit") == true)
            let method = await rig.http.get("/v1/feeds/shop/refresh")
            #expect(method?.headers.first("Allow") == "POST")
            let version = try Body(await rig.http.get("/v9/feeds"))
            #expect(version["supported.0"] == "v1")
            let body = try Body(await rig.http.post("/v1/feeds/shop/refresh", json: #"{"a/b":1}"#))
            #expect(body["errors.0.pointer"] == "/a~1b")
        }
    }

    @Test("every code there is was seen by some test")
    func coverage() {
        let elsewhere: Set<Problem.Code> = [
            // ConnectionTests
            .ambiguousLength, .bodyTooLarge, .tooManyConnections,
            // RefreshTests
            .forbidden, .busy, .stopping,
            // ReadingTests, ChangesTests
            .cacheFailed, .resync,
            // StreamTests
            .tooManyStreams,
            // ControlTests
            .configInvalid, .controlBusy,
            // RealAnswersTests, QuotaTests
            .backupFailed, .quotaExceeded,
            // DocumentOverSocketTests
            .noDocument,
            // ViewsTests
            .tooStale,
        ]
        let seen = Set(ProblemAnswerTests.cases.compactMap { Problem.Code(rawValue: $0.code) })
        #expect(seen.union(elsewhere) == Set(Problem.Code.allCases))
        #expect(seen.isDisjoint(with: elsewhere))
    }
}
