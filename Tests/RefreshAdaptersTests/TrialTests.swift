import RefreshAdapters
import RefreshCore
import RefreshTransfer
import TestSupport
import Testing

@Suite("Trying a feed out") struct TrialTests {
    private func trial(_ pages: Int, _ answer: @escaping (TransferRequest) -> TransferAnswer) async throws
        -> PassTrial.Report
    {
        let rig = try PassRig { $0.paging.kind = .page(to: .param("p"), start: 1, totalPages: nil) }
        let trial = PassTrial(rig.plan, start: PassStart(now: PassRig.now), pages: pages)
        return await trial.run(time: ManualTime(), pause: { _ in true }, perform: { answer($0) })
    }

    @Test("asks for so many pages and says where it would go on")
    func cut() async throws {
        let report = try await trial(2) { _ in PassRig.answer(#"[{"id":1},{"id":2}]"#) }
        #expect(report.notes.map(\.url) == ["https://a.example/list?p=1", "https://a.example/list?p=2"])
        #expect(report.notes.map(\.next) == [.page(2), .page(3)])
        #expect(report.pages.count == 2)
        #expect(report.end == nil)
    }

    @Test("says why a pass ended, and what a failure was")
    func ends() async throws {
        let report = try await trial(9) { request in
            PassRig.answer(request.url.query == "p=1" ? #"[{"id":1}]"# : "[]")
        }
        #expect(report.notes.last?.stop == .emptyPage)
        let failed = try await trial(9) { _ in PassRig.answer("", status: 500) }
        #expect(failed.notes.last?.failure?.status == 500)
        #expect(failed.pages.isEmpty)
    }
}
