import RefreshCore
import RefreshTransfer

/// A pass that stores nothing: for who wants to know what a feed's definition does before it runs.
package struct PassTrial: Sendable {
    /// What came of it.
    package struct Report: Sendable {
        /// One for each request, in order.
        package var notes: [PageNote] = []
        /// What each page would have brought into the cache.
        package var pages: [PassPage] = []
        package var warnings: [String] = []
        /// Nil where the trial was cut after its pages.
        package var end: PassEnd?
        /// What the next pass would go on from.
        package var checkpoint: Checkpoint?
    }

    private let plan: PassPlan
    private let start: PassStart
    private let most: Int

    /// - Parameter pages: how many are asked for at most.
    package init(_ plan: PassPlan, start: PassStart, pages: Int) {
        self.plan = plan
        self.start = start
        most = pages
    }

    /// Runs the pass.
    ///
    /// - Parameters:
    ///   - now: the time, and how long ago it started to be asked, come from the caller.
    ///   - pause: returns after so long; false gives the trial up.
    ///   - perform: asks.
    package func run(
        time: any TimeSource, pause: (Duration) async -> Bool,
        perform: (TransferRequest) async throws(TransferFailure) -> TransferAnswer
    ) async -> Report {
        var machine = PassMachine(plan, start: start, keepsNotes: true)
        var report = Report()
        var effect = machine.begin()
        while true {
            switch effect {
            case .ask(let request):
                guard report.pages.count < most else { return closed(report, machine) }
                effect = await ask(request, &machine, time, perform)
            case .pause(let duration, _, let request):
                guard await pause(duration) else { return closed(report, machine) }
                effect = await ask(request, &machine, time, perform)
            case .store(let page):
                report.pages.append(page)
                report.checkpoint = page.checkpoint
                effect = machine.storedPage()
            case .finish(let end):
                report.end = end
                if case .done(let done) = end {
                    if let page = done.page { report.pages.append(page) }
                    report.checkpoint = done.report.checkpoint
                }
                return closed(report, machine)
            }
        }
    }

    private func closed(_ report: Report, _ machine: PassMachine) -> Report {
        var report = report
        // A request that was not made any more is none.
        report.notes = machine.notes.filter { $0.status != nil || $0.failure != nil }
        report.warnings = machine.warnings.map(\.rawValue).sorted()
        return report
    }

    private func ask(
        _ request: TransferRequest, _ machine: inout PassMachine, _ time: any TimeSource,
        _ perform: (TransferRequest) async throws(TransferFailure) -> TransferAnswer
    ) async -> PassEffect {
        let sent = time.now().boot
        do {
            let answer = try await perform(request)
            let now = time.now()
            return machine.answered(answer, took: now.boot - sent, now: now.wall)
        } catch {
            return machine.failed(error.failure, took: time.now().boot - sent)
        }
    }
}
