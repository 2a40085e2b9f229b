import RefreshAdapters
import RefreshCore
import RefreshTransfer
import Testing

@Suite("Conditional passes") struct ConditionalTests {
    private static let validators = Validators(etag: "\"a\"", lastModified: "Mon, 01 Jan 2024 00:00:00 +0000")

    private func run(
        _ rig: PassRig, validators: Validators = Self.validators, hash: ContentHash? = nil,
        _ upstream: (Int) -> TransferAnswer
    ) -> PassRun {
        rig.run {
            $0.validators = validators
            $0.bodyHash = hash
        } upstream: { _, number in
            upstream(number)
        }
    }

    // FreshRSS/FreshRSS#6056; newsboat/newsboat#2732.
    @Test("send what was received, byte for byte; a 304 updates what it carries and reads nothing")
    func notModified() throws {
        let run = try run(PassRig()) { _ in PassRig.answer("junk", status: 304, headers: [("ETag", "\"b\"")])
        }
        #expect(run.requests.first?.validators == Self.validators)
        #expect(run.pages.isEmpty)
        let report = try #require(run.done?.report)
        #expect(report.isUnchanged)
        #expect(!report.isFull)
        #expect(report.validators == Validators(etag: "\"b\"", lastModified: Self.validators.lastModified))
    }

    @Test("a 304 that nobody asked for is a failure (F11)")
    func unaskedFor() throws {
        let run = try run(PassRig(), validators: Validators()) { _ in PassRig.answer("", status: 304) }
        #expect(run.failure?.status == 304)
    }

    // feedbin/feedbin#726: the same body, so the new ETag is not saved. V5: it is not read again either.
    @Test("an equal body is not read, and its validators are kept")
    func equalBody() throws {
        let first = try run(PassRig()) { _ in PassRig.answer("[{\"id\":1}]", headers: [("ETag", "\"b\"")]) }
        let hash = try #require(first.done?.report.bodyHash)
        let second = try run(PassRig(), hash: hash) { _ in
            PassRig.answer("[{\"id\":1}]", headers: [("ETag", "\"c\"")])
        }
        let report = try #require(second.done?.report)
        #expect(report.isUnchanged)
        #expect(report.isFull)
        #expect(report.validators == Validators(etag: "\"c\""))
        #expect(report.bodyHash == hash)
        #expect(second.pages.isEmpty)
        // miniflux/miniflux-legacy#218: the ETag is stuck, the body is new.
        let third = try run(PassRig(), hash: hash) { _ in
            PassRig.answer("[{\"id\":2}]", headers: [("ETag", "\"c\"")])
        }
        #expect(third.keys == ["2"])
    }

    @Test("a pass of several pages leaves no validators, and later pages are never conditional (V7)")
    func pages() throws {
        let rig = try PassRig { $0.paging.kind = .linkHeader(rel: "next") }
        let run = run(rig) { number in
            PassRig.answer(
                "[{\"id\":\(number)}]",
                headers: [("ETag", "\"b\"")] + (number == 1 ? [("Link", "</2>; rel=next")] : []))
        }
        #expect(run.requests.map(\.validators.isEmpty) == [false, true])
        #expect(run.done?.report.validators == Validators())
        #expect(run.done?.report.bodyHash == nil)
        let single = self.run(rig) { _ in PassRig.answer("[]", headers: [("ETag", "\"b\"")]) }
        #expect(single.done?.report.validators == Validators(etag: "\"b\""))
    }

    @Test("what moves, changes something or is told not to be is never conditional")
    func never() throws {
        var field = IncrementalPlan.Field(cursor: .json(.root))
        field.to = .param("s")
        var off = try PassRig()
        off.feed.request.conditional = .off
        var post = try PassRig()
        post.feed.request.method = "POST"
        let moving = try PassRig { $0.incremental = IncrementalPlan(kind: .field(field)) }
        for rig in [off, post, moving] {
            let run = run(rig) { _ in PassRig.answer("[]", headers: [("ETag", "\"b\"")]) }
            #expect(run.requests.first?.validators.isEmpty == true)
            #expect(run.done?.report.validators.isEmpty == true)
        }
    }

    @Test("a feed that has moved is asked for where it is now")
    func effectiveURL() throws {
        let there = try WebURL(parsing: "https://b.example/new")
        let run = try PassRig().run {
            $0.effectiveURL = there
        } upstream: { _, _ in
            PassRig.answer("[]")
        }
        #expect(run.requests.first?.url == there)
    }
}
