import RefreshAdapters
import RefreshCore
import RefreshStore

extension Flight {
    /// A sub-pass for each item of the parent feed, one after another, and the end of them all.
    func flyOverParents(
        of parent: FeedID, _ reading: ParentReading, _ log: inout FlightLog
    ) async throws(Interruption) -> Landing {
        guard let list = try await list(of: parent, reading) else {
            return try await failed(
                RefreshFailure(
                    .transient, code: "parent-not-read",
                    detail: "nothing has been read yet of the feed \(parent), whose items this one goes by"),
                &log)
        }
        var run = ParentRun(plan, list, checkpoint: order.progress.checkpoint, now: order.start.wall)
        log.isResumed = run.isResumed
        let plan = plan.ofSubPasses(isIncremental: run.isIncremental)
        var random = random
        while let start = run.next(random: Randomness(seed: random.next())) {
            var machine = PassMachine(plan, start: start)
            let checkpoint = run.checkpoint()
            let end = try await drive(&machine, checkpoint, &log)
            if case .done(let done) = end, let page = done.page {
                try await commit(page, as: .page, progress(with: checkpoint), &log)
            }
            guard run.ended(machine, end) else {
                log.checkpoint = run.checkpoint()
                if case .failed(let failure, _) = end { return try await failed(failure, &log) }
                break
            }
        }
        switch run.finish() {
        case .success(let done): return try await land(done, &log)
        case .failure(let failure):
            log.checkpoint = run.checkpoint()
            return try await failed(failure, &log)
        }
    }

    private func list(
        of parent: FeedID, _ reading: ParentReading
    ) async throws(Interruption) -> ParentList? {
        do {
            return try await parents.parents(of: parent, reading)
        } catch {
            throw .store(error)
        }
    }
}
