import RefreshAdapters
import RefreshCore
import RefreshStore

extension Flight {
    /// A sub-pass for each item of the parent feed, so many beside each other as the feed permits, and the end of them
    /// all.
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
        var run = ParentRun(
            plan, list, checkpoint: order.progress.checkpoint, hasMarks: hasMarks, now: order.start.wall)
        if run.goesOn { goOn(&log) }
        let failure = try await fly(&run, &log)
        if !run.isCutCleanly { log.hasAllMarks = false }
        if let failure {
            log.checkpoint = run.checkpoint()
            return try await failed(failure, &log)
        }
        switch run.finish() {
        case .success(let done): return try await land(done, &log)
        case .failure(let failure):
            log.checkpoint = run.checkpoint()
            return try await failed(failure, &log)
        }
    }

    /// Every sub-pass of the run; what made it impossible to go on, or nil.
    private func fly(
        _ run: inout ParentRun, _ log: inout FlightLog
    ) async throws(Interruption) -> RefreshFailure? {
        let crew = Crew(plan: plan.ofSubPasses(isIncremental: run.isIncremental), run.checkpoint())
        var lanes = Lanes(run.concurrent)
        var random = random
        var (current, flown) = (run, log)
        let result = await withTaskGroup(of: SubFlight.self) { group in
            var outcome: Result<RefreshFailure?, Interruption> = .success(nil)
            var goesOn = true
            while true {
                while goesOn, let lane = lanes.free,
                    let sub = current.next(random: Randomness(seed: random.next()))
                {
                    let laneLog = flown.ofLane(lane, hasAsked: lanes.take(lane))
                    group.addTask { await fly(sub, crew, laneLog) }
                }
                for lane in lanes.idle() { await turns.rest(of: feed.id, lane: lane) }
                guard let flight = await group.next() else { break }
                flown.take(flight.log)
                lanes.giveBack(flight.log.lane, hasAsked: flight.log.hasAsked)
                switch flight.end {
                case .success(let end):
                    let mayGoOn = current.ended(flight.sub, flight.machine, end)
                    crew.checkpoint.value = current.checkpoint()
                    guard !mayGoOn, goesOn, case .failed(let failure, _) = end else { continue }
                    outcome = .success(failure)
                case .failure(let interruption): outcome = .failure(interruption)
                }
                goesOn = false
            }
            return (outcome, current, flown)
        }
        (run, log) = (result.1, result.2)
        return try result.0.get()
    }

    /// One sub-pass, to its end.
    private func fly(_ sub: ParentRun.SubPass, _ crew: Crew, _ log: FlightLog) async -> SubFlight {
        var log = log
        var machine = PassMachine(crew.plan, start: sub.start)
        do throws(Interruption) {
            let end = try await drive(&machine, crew.checkpoint, &log)
            if case .done(let done) = end, let page = done.page {
                try await commit(page, as: .page, progress(with: crew.checkpoint.value), &log)
            }
            return SubFlight(sub: sub, machine: machine, end: .success(end), log: log)
        } catch {
            return SubFlight(sub: sub, machine: machine, end: .failure(error), log: log)
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

    /// A sub-pass that is over.
    private struct SubFlight: Sendable {
        let sub: ParentRun.SubPass
        let machine: PassMachine
        let end: Result<PassEnd, Interruption>
        let log: FlightLog
    }

    /// What all sub-passes share.
    private struct Crew: Sendable {
        let plan: PassPlan
        let checkpoint = SharedCheckpoint()

        init(plan: PassPlan, _ checkpoint: Checkpoint?) {
            self.plan = plan
            self.checkpoint.value = checkpoint
        }
    }

    /// Places for requests beside each other.
    private struct Lanes {
        private var unused: [Int]
        private var hasTurn: Set<Int> = [0]
        private var isNew: Set<Int> = [0]

        init(_ count: Int) { unused = Array((0..<max(count, 1)).reversed()) }

        var free: Int? { unused.last }

        /// Whether the lane's next request needs a turn: all but the very first one of the flight.
        mutating func take(_ lane: Int) -> Bool {
            unused.removeAll { $0 == lane }
            hasTurn.insert(lane)
            return isNew.remove(lane) == nil
        }

        mutating func giveBack(_ lane: Int, hasAsked: Bool) {
            unused.append(lane)
            // It still has the turn that the flight started with.
            if !hasAsked { isNew.insert(lane) }
        }

        /// Those that have a turn and nothing to do with it, while others are under way; each is named once.
        mutating func idle() -> [Int] {
            let idle = unused.filter { hasTurn.contains($0) && !isNew.contains($0) }
            hasTurn.subtract(idle)
            return idle
        }
    }
}

/// What is stored with every page of every sub-pass: up to where all parents are done.
final class SharedCheckpoint: Sendable {
    private let kept = Locked<Checkpoint?>(nil)

    var value: Checkpoint? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
