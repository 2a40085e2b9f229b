import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Answers that are no success") struct ErrorRulesTests {
    /// Numbered pages, ended by an empty one.
    private func rig(_ details: (inout FeedDetails) -> Void = { _ in }) throws -> PassRig {
        try PassRig {
            $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil)
            $0.retry.jitter = .none
            details(&$0)
        }
    }

    private func page(_ number: Int) -> TransferAnswer { PassRig.answer("[{\"id\":\(number)}]") }

    private func rule(
        _ action: ErrorRule.Action, _ change: (inout ErrorRule.Condition) -> Void, message: String? = nil
    ) -> ErrorRule {
        var condition = ErrorRule.Condition()
        change(&condition)
        return ErrorRule(when: condition, action: action, message: message)
    }

    // airbytehq/airbyte#15055, #66938; dlt-hub/dlt#1849: 200 with an error body is a success, 204 crashes the reader.
    @Test("a rule on the body makes an error of a 200, and 204 is a list without rows")
    func errorBody() throws {
        let filter = try JSONFilter(parsing: "@.success == false")
        let rig = try rig { $0.errors = [rule(.fail, { $0.body = filter }, message: "the shop says no")] }
        let run = rig.run { _, _ in PassRig.answer(#"{"success":false}"#) }
        #expect(run.failure?.class == .upstream)
        #expect(run.failure?.detail == "the shop says no")
        let empty = rig.run { _, _ in PassRig.answer("", status: 204) }
        #expect(empty.keys == [])
        #expect(empty.isComplete)
    }

    // dgtlmoon/changedetection.io#4071, airbytehq/airbyte#18769: a legal empty result treated as a fault.
    @Test("an empty list is no failure, and a missing one is")
    func emptyList() throws {
        let rig = try PassRig(path: "items")
        #expect(rig.run { _, _ in PassRig.answer(#"{"items":[]}"#) }.isComplete)
        #expect(rig.run { _, _ in PassRig.answer(#"{"data":[]}"#) }.failure?.code == "records-path-missing")
    }

    struct Rule: CustomTestStringConvertible {
        let name: String
        let matches: Bool
        let change: @Sendable (inout ErrorRule.Condition) -> Void
        var testDescription: String { name }
    }

    @Test(
        "a rule fits where all of its conditions hold",
        arguments: [
            Rule(name: "status", matches: true) { $0.statuses = [.code(404), .code(418)] },
            Rule(name: "hundred", matches: true) { $0.statuses = [.hundred(4)] },
            Rule(name: "other status", matches: false) { $0.statuses = [.hundred(5)] },
            Rule(name: "text", matches: true) { $0.text = "kettle" },
            Rule(name: "other text", matches: false) { $0.text = "kettles" },
            Rule(name: "header", matches: true) { $0.header = ("x-why", nil) },
            Rule(name: "header's value", matches: true) { $0.header = ("X-Why", "tea") },
            Rule(name: "other value", matches: false) { $0.header = ("X-Why", "coffee") },
            Rule(name: "missing header", matches: false) { $0.header = ("X-Not", nil) },
            Rule(name: "one of two", matches: false) {
                $0.statuses = [.code(418)]
                $0.text = "kettles"
            },
        ])
    func conditions(_ item: Rule) throws {
        let rig = try rig { $0.errors = [rule(.empty, item.change)] }
        let run = rig.run { _, _ in
            PassRig.answer("I am a kettle", status: 418, headers: [("X-Why", "tea")])
        }
        #expect((run.done != nil) == item.matches)
    }

    @Test("only a request inside a pass is repeated, so often and with growing pauses")
    func retries() throws {
        let rig = try rig()
        let first = rig.run { _, _ in PassRig.answer("", status: 503) }
        #expect(first.requests.count == 1)
        #expect(first.failure?.status == 503)
        let broken = rig.run { _, number in number == 1 ? page(1) : PassRig.answer("", status: 503) }
        #expect(broken.requests.count == 6)
        #expect(broken.pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(broken.failure?.status == 503)
        #expect(broken.keys == ["1"])
        let mended = rig.run { _, number throws(RefreshFailure) in
            switch number {
            case 1: return page(1)
            case 2: throw RefreshFailure(.transient, code: "connection-reset", detail: "")
            case 3: return page(2)
            default: return PassRig.answer("[]")
            }
        }
        #expect(mended.keys == ["1", "2"])
        #expect(mended.isComplete)
    }

    @Test(
        "a pause that the upstream asks for is kept, if it is not too long, and the pass goes on at its page")
    func waits() throws {
        let rig = try rig { $0.limits.waitMax = .seconds(60) }
        func run(_ seconds: String) -> PassRun {
            rig.run { request, number in
                number == 2
                    ? PassRig.answer("", status: 429, headers: [("Retry-After", seconds)])
                    : number < 4 ? page(number) : PassRig.answer("[]")
            }
        }
        let short = run("60")
        #expect(short.pauses == [.seconds(60)])
        #expect(short.targets == ["/list?p=1", "/list?p=2", "/list?p=2", "/list?p=3"])
        #expect(short.isComplete)
        let long = run("61")
        #expect(long.pauses == [])
        #expect(long.failure?.class == .rate)
        #expect(long.failure?.retryAfter == .seconds(61))
    }

    // miniflux/v2#3289; FreshRSS/FreshRSS#8928: 403 with a limit is a 429.
    @Test("403 with nothing left is a limit, and with something left a refusal")
    func forbidden() throws {
        func run(_ remaining: String) throws -> PassRun {
            try rig().run { _, _ in
                PassRig.answer(
                    "", status: 403,
                    headers: [("X-RateLimit-Remaining", remaining), ("X-RateLimit-Reset", "120")])
            }
        }
        #expect(try run("0").failure?.class == .rate)
        #expect(try run("0").failure?.retryAfter == .seconds(120))
        #expect(try run("7").failure?.class == .auth)
    }

    @Test("a rule can begin the list again, twice at most")
    func restart() throws {
        let rig = try rig { $0.errors = [rule(.restartPages) { $0.statuses = [.code(409)] }] }
        let run = rig.run { _, number in
            switch number {
            case 1, 3: page(number)
            case 2: PassRig.answer("", status: 409)
            default: PassRig.answer("[]")
            }
        }
        #expect(run.targets == ["/list?p=1", "/list?p=2", "/list?p=1", "/list?p=2"])
        #expect(run.isComplete)
        let endless = rig.run { _, number in
            number % 2 == 1 ? page(number) : PassRig.answer("", status: 409)
        }
        #expect(endless.requests.count == 6)
        #expect(endless.failure?.status == 409)
    }

    @Test("what a rule ignores leaves everything as it is")
    func ignored() throws {
        let rig = try rig { $0.errors = [rule(.ignore) { $0.statuses = [.code(500)] }] }
        let run = rig.run { _, _ in PassRig.answer("", status: 500) }
        #expect(run.done?.report.isUnchanged == true)
        #expect(run.pages.isEmpty)
        let later = rig.run { _, number in number == 1 ? page(1) : PassRig.answer("", status: 500) }
        #expect(later.keys == ["1"])
        #expect(!later.isComplete)
    }

    // huginn/huginn#3525: one stuck fetch blocks the rest.
    @Test("a pass has only so much time, pauses not counted, and goes on later at its page")
    func deadline() throws {
        let rig = try rig { $0.limits.pass = .seconds(100) }
        let run = rig.run(took: .seconds(40)) { _, number in page(number) }
        #expect(run.requests.map(\.limits.total) == [.seconds(60), .seconds(60), .seconds(20)])
        #expect(run.failure?.code == "pass-timeout")
        let next = rig.run(checkpoint: run.checkpoint) { _, _ in PassRig.answer("[]") }
        #expect(next.targets == ["/list?p=4"])
    }

    @Test("a pass has only so many rows")
    func rows() throws {
        let rig = try rig { $0.limits.rows = 2 }
        let run = rig.run { _, number in page(number) }
        #expect(run.failure?.code == "pass-too-many-rows")
    }
}
