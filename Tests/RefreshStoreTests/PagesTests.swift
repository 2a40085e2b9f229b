import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Passes of many pages") struct PagesTests {
    private func listing(_ range: ClosedRange<Int>) -> [Sample] { range.map { Sample("k\($0)", "\($0)") } }

    private func whole(_ bench: Bench, pass: UInt64, _ records: [Sample], _ deletes: DeletesPlan) throws
        -> CommitOutcome
    {
        bench.now = bench.now + .seconds(60)
        let half = records.count / 2
        try bench.page(Array(records[..<half]), pass: pass, .page, deletes: deletes)
        return try bench.page(Array(records[half...]), pass: pass, .last(.complete), deletes: deletes)
    }

    @Test("U12: sweeps at the last page what no page has held, and nothing before") func sweepsAtTheEnd()
        throws
    {
        let bench = try Bench()
        try bench.pass(listing(1...40))
        bench.now = bench.now + .seconds(60)
        #expect(try bench.page(listing(1...15), pass: 2, .page).counts.removed == 0)
        #expect(try bench.page(listing(16...30), pass: 2, .page).counts.removed == 0)
        #expect(try bench.head()?.items == 40)
        let end = try bench.page(listing(31...38), pass: 2, .last(.complete))
        #expect(end.counts.removed == 2 && end.progress.suspect == nil)
        #expect(try bench.head()?.items == 38)
    }

    @Test("U12: a pass that writes nothing on any page writes the feed's row once a page")
    func writesNothing() throws {
        let bench = try Bench()
        _ = try whole(bench, pass: 1, listing(1...40), DeletesPlan(absent: .gone))
        let written = bench.writer.totalChanges
        #expect(try whole(bench, pass: 2, listing(1...40), DeletesPlan(absent: .gone)).counts.isEmpty)
        #expect(bench.writer.totalChanges - written == 2)
    }

    @Test(
        "U12: a pass that has lost its marks does not sweep",
        arguments: ["resumed", "restarted", "torn", "another pass between", "partial"])
    func doesNotSweep(_ how: String) throws {
        let bench = try Bench()
        try bench.pass(listing(1...40))
        bench.now = bench.now + .seconds(60)
        switch how {
        case "resumed": break
        case "torn":
            let tooLong = Sample(String(repeating: "x", count: RecordKey.longest + 1))
            _ = try? bench.page([tooLong], pass: 7, .page)
        default: try bench.page(listing(1...15), pass: 7, .page)
        }
        if how == "restarted" { try bench.restart() }
        if how == "another pass between" {
            try bench.page(listing(1...40), pass: 8, .last(.complete))
        }
        let end = try bench.page(
            listing(16...30), pass: 7, .last(how == "partial" ? .partial : .complete)
        ) { $0.isResumed = how == "resumed" || how == "restarted" }
        #expect(end.counts.removed == 0)
        #expect(try bench.head()?.items == 40)
        // The next whole pass finds them missing as ever.
        #expect(try whole(bench, pass: 9, listing(1...38), DeletesPlan(absent: .gone)).counts.removed == 2)
    }

    @Test("U17: a page of a pass that another has overtaken is dropped whole") func overtaken() throws {
        let bench = try Bench()
        try bench.page([Sample("a", "1")], pass: 1, .page)
        try bench.page([Sample("a", "2")], pass: 2, .last(.complete))
        bench.progress.failures = 9
        let late = try bench.page([Sample("a", "1"), Sample("b")], pass: 1, .last(.complete))
        #expect(late.isOvertaken && late.progress.failures == 0)
        #expect(try bench.log() == ["2 a=2"])
    }

    @Test("U5: of one record on several pages the last occurrence counts") func lastOccurrence() throws {
        let bench = try Bench()
        try bench.page([Sample("a", "1"), Sample("b", "1")], pass: 1, .page)
        try bench.page([Sample("a", "2")], pass: 1, .last(.partial))
        #expect(try bench.log() == ["2 b=1", "3 a=2"])
    }

    @Test(
        "U14: a key on two pages beyond the overlap makes the pass suspect",
        arguments: [(0, true), (1, true), (2, false)])
    func repeatedKeys(overlap: Int, isSuspect: Bool) throws {
        let bench = try Bench()
        try bench.pass(listing(1...40))
        bench.now = bench.now + .seconds(60)
        try bench.page(listing(1...20), pass: 2, .page) { $0.overlap = overlap }
        let end = try bench.page(listing(19...39), pass: 2, .last(.complete)) { $0.overlap = overlap }
        #expect(
            (end.progress.suspect == "2 records came on two pages; 1 missing items were kept")
                == (isSuspect && overlap == 0))
        #expect((end.progress.suspect != nil) == isSuspect)
        #expect(end.counts.removed == (isSuspect ? 0 : 1))
    }

    @Test("1.1: a record inserted between two pages costs no other record its place") func insertedBetween()
        throws
    {
        let bench = try Bench()
        try bench.pass(listing(1...40))
        bench.now = bench.now + .seconds(60)
        try bench.page(listing(1...20), pass: 2, .page)
        try bench.page(listing(20...40), pass: 2, .last(.complete))
        #expect(try bench.head()?.items == 40)
        try bench.pass([Sample("new")] + listing(1...40))
        #expect(try bench.head()?.items == 41)
    }

    @Test("U14: what is to be confirmed twice goes with the second complete pass that lacks it")
    func confirms() throws {
        let bench = try Bench()
        var deletes = DeletesPlan(absent: .gone)
        deletes.confirm = 2
        bench.progress.validators = Validators(etag: "\"1\"")
        _ = try whole(bench, pass: 1, listing(1...40), deletes)
        let first = try whole(bench, pass: 2, listing(1...39), deletes)
        #expect(first.counts.removed == 0 && first.progress.suspect == nil)
        // A 304 could not confirm.
        #expect(first.progress.validators.isEmpty)
        // Back for one pass: the count begins anew.
        #expect(try whole(bench, pass: 3, listing(1...40), deletes).counts.isEmpty)
        #expect(try whole(bench, pass: 4, listing(1...39), deletes).counts.removed == 0)
        try bench.restart()
        #expect(try whole(bench, pass: 1, listing(1...39), deletes).counts.removed == 1)
    }

    @Test("U14: a drop beyond the guard is released by a second pass that agrees, and not without")
    func releasesDrop()
        throws
    {
        let bench = try Bench()
        var deletes = DeletesPlan(absent: .gone)
        _ = try whole(bench, pass: 1, listing(1...40), deletes)
        for pass in UInt64(2)...4 {
            let kept = try whole(bench, pass: pass, listing(1...20), deletes)
            #expect(kept.progress.suspect == "20 of 40 items were missing and were kept")
        }
        _ = try whole(bench, pass: 5, listing(1...40), deletes)
        deletes.confirm = 2
        #expect(try whole(bench, pass: 6, listing(1...20), deletes).progress.suspect != nil)
        let released = try whole(bench, pass: 7, listing(1...20), deletes)
        #expect(released.counts.removed == 20 && released.progress.suspect == nil)
    }

    @Test("U14: the guard's share is the feed's own, and a doubt of the reader's counts") func guards() throws
    {
        let bench = try Bench()
        var deletes = DeletesPlan(absent: .gone)
        deletes.dropGuard = 0.6
        _ = try whole(bench, pass: 1, listing(1...40), deletes)
        #expect(try whole(bench, pass: 2, listing(1...20), deletes).counts.removed == 20)
        bench.now = bench.now + .seconds(60)
        let end = try bench.page(listing(1...19), pass: 3, .last(.complete)) {
            $0.doubt = "the total changed under way"
        }
        #expect(end.progress.suspect == "the total changed under way; 1 missing items were kept")
    }

    @Test("U2, U14: a withheld sweep keeps the sync key that the upstream gave before") func keepsKey() throws
    {
        let bench = try Bench()
        bench.progress.checkpoint = Checkpoint(text: "\"t1\"", scope: 5)
        _ = try whole(bench, pass: 1, listing(1...40), DeletesPlan(absent: .gone))
        bench.progress.checkpoint = Checkpoint(text: "\"t2\"", scope: 5)
        let withheld = try whole(bench, pass: 2, [], DeletesPlan(absent: .gone))
        #expect(withheld.progress.checkpoint?.text == "\"t1\"")
        let believed = try whole(bench, pass: 3, listing(1...40), DeletesPlan(absent: .gone))
        #expect(believed.progress.checkpoint?.text == "\"t2\"")
        #expect(
            try bench.writer.load([bench.feed])[bench.feed]?.0.checkpoint
                == Checkpoint(text: "\"t2\"", scope: 5))
    }

    @Test(
        "U11: after an expired key the items stay readable until the whole list is read, and then what went is gone"
    )
    func expiredKey() throws {
        let bench = try Bench()
        bench.progress.checkpoint = Checkpoint(text: "\"t1\"", scope: 5)
        try bench.pass(listing(1...40))
        bench.progress.checkpoint = nil
        try bench.note(isSuccess: false)
        #expect(try bench.writer.load([bench.feed])[bench.feed]?.0.checkpoint == nil)
        try bench.page(listing(1...20), pass: 3, .page)
        #expect(try bench.head()?.items == 40)
        bench.progress.checkpoint = Checkpoint(text: "\"t9\"", scope: 5)
        let end = try bench.page(listing(21...38), pass: 3, .last(.complete))
        #expect(end.counts.removed == 2 && end.progress.checkpoint?.text == "\"t9\"")
    }

    @Test("U10: what the upstream says is deleted goes, in rows and in lists of keys") func saidToBeDeleted()
        throws
    {
        let bench = try Bench()
        try bench.pass(listing(1...5))
        var gone = Sample("k2", "{}")
        gone.isDeleted = true
        var unknown = Sample("k9", "{}")
        unknown.isDeleted = true
        let end = try bench.page([Sample("k1", "1"), gone, unknown], pass: 2, .last(.partial)) {
            $0.deleted = [RecordKey("k4"), RecordKey("nobody")]
            $0.isDelta = true
        }
        #expect(end.counts.removed == 2)
        #expect(try bench.log(since: 5) == ["6 k2-upstream", "7 k4-upstream"])
    }

    @Test("U16: what is exempt is not missed") func exempt() throws {
        let bench = try Bench()
        try bench.pass(listing(1...5))
        let end = try bench.page(listing(1...3), pass: 2, .last(.complete)) { $0.exempt = [RecordKey("k4")] }
        #expect(end.counts.removed == 1)
        #expect(try bench.log(since: 5) == ["6 k5-missing"])
    }

    @Test("T-U14: an empty list once, with a new ETag, deletes nothing") func poisoned() throws {
        let bench = try Bench()
        try bench.pass(listing(1...5))
        bench.progress.validators = Validators(etag: "\"evil\"")
        let end = try bench.pass([])
        #expect(end.counts.isEmpty && end.progress.suspect != nil && end.progress.validators.isEmpty)
    }
}
