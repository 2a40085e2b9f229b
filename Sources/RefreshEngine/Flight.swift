import RefreshAdapters
import RefreshCore
import RefreshStore
import RefreshTransfer
import Synchronization

/// One refresh under way: ask, read, store, page by page. It belongs to the daemon, never to a caller.
///
/// What to do is the pass's to say; this does it.
struct Flight: Sendable {
    /// How it ended, with the feed's new progress.
    struct Landing: Sendable {
        let outcome: RefreshOutcome
        let progress: FeedProgress
        /// Nil where nothing was stored.
        let store: StoredCounts?
        /// The feed's from now on; nil where it keeps none.
        var cookies: CookieJar?
        var effort = Effort()
        /// A pass that it left half read.
        var open: OpenPass?
    }

    /// What it took.
    struct Effort: Sendable {
        var requests = 0
        /// The upstream's last; nil where no answer came.
        var status: Int?
        /// Of bodies, as they came over the wire.
        var bytes = 0

        mutating func add(_ other: Effort) {
            requests += other.requests
            status = other.status ?? status
            bytes += other.bytes
        }

        func count(in progress: inout FeedProgress, took: Duration, isFailure: Bool) {
            guard requests > 0 else { return }
            progress.tally.add(status: status, bytes: bytes, took: took, isFailure: isFailure)
        }
    }

    /// Why it goes no further.
    enum Interruption: Error {
        /// The daemon stops.
        case stopped
        /// The feed's records have become others.
        case reshaped
        case store(StoreFailure)
    }

    let plan: PassPlan
    let order: FetchOrder
    /// In which it begins: nothing is stored of it in another one.
    let epoch: Epoch
    let acceptDrop: Bool
    let store: Store
    let credentials: CredentialService
    /// Of earlier flights.
    let cookies: CookieJar?
    let turns: any OriginTurns
    let parents: any ParentSource
    let time: any TimeSource
    /// Where chance for pauses comes from.
    let random: Randomness
    let counters: Counters
    /// What an earlier flight left half read.
    let open: OpenPass?

    private static let numbers = Atomic<UInt64>(0)

    /// The number that was given last.
    static var newest: UInt64 { numbers.load(ordering: .relaxed) }

    var feed: Feed { plan.feed }
    /// The one whose turns it takes.
    private var origin: Origin { feed.request.url.origin }

    /// Every path ends in exactly one landing (semantics R14).
    func fly() async -> Landing {
        let turn = FlightTurn(turns: turns, feed: feed.id, origin: origin)
        var log = FlightLog(
            FeedTransport(plan, credentials, cookies: cookies, turn: turn),
            pass: Flight.numbers.add(1, ordering: .relaxed).newValue, start: order.start.wall)
        log.checkpoint = order.progress.checkpoint
        var landing = await fly(&log)
        landing.cookies = log.transport.cookies
        landing.effort = log.effort
        if case .failed = landing.outcome, log.hasAllMarks, let checkpoint = log.checkpoint {
            landing.open = OpenPass(pass: log.pass, start: log.start, checkpoint: checkpoint)
        }
        return landing
    }

    private func fly(_ log: inout FlightLog) async -> Landing {
        do throws(Interruption) {
            // What cannot be noted must not be sent: a crash loop would then hammer the upstream.
            try await note(order.progress, in: &log)
            if let parent = feed.details.parent, let reading = ParentReading(feed) {
                return try await flyOverParents(of: parent.feed, reading, &log)
            }
            var machine = PassMachine(plan, start: start)
            if machine.goesOn { goOn(&log) }
            switch try await drive(&machine, nil, &log) {
            case .done(let done): return try await land(done, &log)
            case .failed(let failure, let checkpoint):
                log.checkpoint = checkpoint
                return try await failed(failure, &log)
            }
        } catch {
            switch error {
            case .stopped: return await abandoned(log)
            case .reshaped: return await reshaped(log)
            case .store(let failure): return unstored(failure, log)
            }
        }
    }

    /// What the pass may build on. A list that was not believed is read in full (semantics U14).
    private var start: PassStart {
        var start = PassStart(now: order.start.wall, random: random)
        start.checkpoint = order.progress.checkpoint
        // What is in doubt is read from its beginning, as a whole.
        start.effectiveURL = order.effectiveURL
        start.mayGoOn = order.progress.suspect == nil
        start.hasMarks = hasMarks
        start.entryKeys = order.progress.entryKeys
        let isKnown = order.progress.validatorScope == plan.validatorScope
        if order.conditional, isKnown, !acceptDrop, order.progress.suspect == nil {
            start.validators = order.progress.validators
            start.bodyHash = order.progress.bodyHash
        }
        return start
    }

    /// Whether an interrupted pass would go on with all that it has met: the same process, and nothing in between.
    var hasMarks: Bool { open != nil && open?.checkpoint == order.progress.checkpoint }

    /// The pass is the one that an earlier flight began.
    func goOn(_ log: inout FlightLog) {
        log.isResumed = true
        guard hasMarks, let open else { return }
        log.pass = open.pass
        log.start = open.start
    }

    // MARK: - Steps

    /// Does what the pass says until it is over.
    ///
    /// - Parameter shared: holds what is stored in the place of a sub-pass's own checkpoint.
    func drive(
        _ machine: inout PassMachine, _ shared: SharedCheckpoint?, _ log: inout FlightLog
    ) async throws(Interruption) -> PassEnd {
        var effect = machine.begin()
        while true {
            switch effect {
            case .ask(let request): effect = try await ask(request, after: .zero, &machine, &log)
            case .pause(var pause, let isAsked, let request):
                if isAsked { pause = await turns.asked(pause, of: feed.id, at: origin) }
                effect = try await ask(request, after: pause, &machine, &log)
            case .pipe(let body): effect = try await pipe(body, &machine, &log)
            case .store(let page):
                try await commit(page, as: .page, progress(with: shared?.value ?? page.checkpoint), &log)
                effect = machine.storedPage()
            case .finish(let end): return end
            }
        }
    }

    private func ask(
        _ request: TransferRequest, after pause: Duration, _ machine: inout PassMachine,
        _ log: inout FlightLog
    ) async throws(Interruption) -> PassEffect {
        // What was read of the page before is stored by now.
        log.lease = nil
        if log.hasAsked {
            do {
                try await turns.nextTurn(of: feed.id, at: origin, lane: log.lane, after: pause)
            } catch {
                throw .stopped
            }
        }
        log.hasAsked = true
        log.effort.requests += 1
        let sent = time.now().boot
        do {
            let answer = try await log.transport.perform(request, now: time.now().wall)
            counters.upstream(status: answer.status, bytes: answer.wireBytes)
            log.effort.status = answer.status
            log.effort.bytes += answer.wireBytes
            log.lease = answer.lease
            let now = time.now()
            let limits = feed.details.limits.headers
            if let reading = RateReading(answer.headers, as: limits, now: now.wall) {
                await turns.noted(reading, of: feed.id, at: origin)
            }
            return machine.answered(answer, took: now.boot - sent, now: now.wall)
        } catch {
            if error.isStop { throw .stopped }
            counters.upstream(status: nil, bytes: 0)
            log.effort.status = nil
            return machine.failed(error.failure, took: time.now().boot - sent)
        }
    }

    private func pipe(
        _ body: PaddedBytes, _ machine: inout PassMachine, _ log: inout FlightLog
    ) async throws(Interruption) -> PassEffect {
        let start = time.now().boot
        do {
            let output = try await FeedTransport.piped(body, of: feed)
            let now = time.now()
            return machine.piped(output, took: now.boot - start, now: now.wall)
        } catch .cancelled {
            throw .stopped
        } catch {
            return machine.failed(error.failure, took: time.now().boot - start)
        }
    }

    // MARK: - Ends

    func land(_ done: PassDone, _ log: inout FlightLog) async throws(Interruption) -> Landing {
        let now = time.now()
        var progress = order.succeeded(done.report, at: now)
        log.effort.count(in: &progress, took: now.boot - order.start.boot, isFailure: false)
        if let page = done.page {
            try await commit(
                page, as: .last(done.isComplete ? .complete : .partial), progress, end: done, &log)
        } else {
            try await note(progress, in: &log)
        }
        return Landing(
            outcome: log.counts.isEmpty ? .unchanged : .refreshed(log.counts),
            progress: log.progress ?? progress,
            store: log.store)
    }

    func failed(_ failure: RefreshFailure, _ log: inout FlightLog) async throws(Interruption)
        -> Landing
    {
        // An upstream may quote what it was sent.
        let failure = log.transport.mask.masked(failure)
        let now = time.now()
        var progress = order.failed(failure, at: now)
        log.effort.count(in: &progress, took: now.boot - order.start.boot, isFailure: true)
        progress.checkpoint = log.checkpoint
        do {
            try await note(progress, in: &log)
        } catch {
            if case .reshaped = error { throw error }
            // The feed's own failure is what its readers need to know; the store's shows with the next write.
            return Landing(outcome: .failed(failure), progress: progress, store: log.store)
        }
        return Landing(outcome: .failed(failure), progress: log.progress ?? progress, store: log.store)
    }

    /// The daemon stops: neither a success nor a failure, and no crash either.
    private func abandoned(_ log: FlightLog) async -> Landing {
        var log = log
        var progress = order.abandoned(at: time.now())
        progress.checkpoint = log.checkpoint
        do {
            try await note(progress, in: &log)
        } catch {
            if case .reshaped = error { return await reshaped(log) }
        }
        return Landing(
            outcome: .refused(reason: "the daemon stops"), progress: log.progress ?? progress,
            store: log.store)
    }

    /// What was read is of the old kind, and is dropped; what the store holds by now is where the next flight begins.
    private func reshaped(_ log: FlightLog) async -> Landing {
        var progress = order.abandoned(at: time.now())
        var counts: StoredCounts?
        if let (stored, loaded) = try? await store.load(feeds: [feed.id])[feed.id] {
            progress.validators = stored.validators
            progress.bodyHash = stored.bodyHash
            progress.checkpoint = stored.checkpoint
            counts = loaded
        }
        return Landing(
            outcome: .refused(reason: "the feed was changed; the refresh starts anew"), progress: progress,
            store: counts)
    }

    private func unstored(_ error: StoreFailure, _ log: FlightLog) -> Landing {
        let failure = RefreshFailure(.internal, code: error.code, detail: error.detail)
        var progress = order.failed(failure, at: time.now())
        progress.checkpoint = log.checkpoint
        return Landing(outcome: .failed(failure), progress: progress, store: log.store)
    }

    // MARK: - Store

    func progress(with checkpoint: Checkpoint?) -> FeedProgress {
        var progress = order.progress
        progress.checkpoint = checkpoint
        return progress
    }

    private func note(_ progress: FeedProgress, in log: inout FlightLog) async throws(Interruption) {
        var commit = PassCommit(
            feed: feed.id, at: order.start.wall, pass: log.pass, part: .note, progress: progress,
            retention: feed.retention, deletes: feed.deletes)
        commit.keepsDocument = feed.adapter == .http
        try await apply(commit, &log)
    }

    func commit(
        _ page: PassPage, as part: PassCommit.Part, _ progress: FeedProgress, end: PassDone? = nil,
        _ log: inout FlightLog
    ) async throws(Interruption) {
        // A page without records is a list without rows, unless only the checkpoint moves.
        let isNote = page.records == nil && part == .page
        var commit = PassCommit(
            feed: feed.id, at: log.start, pass: log.pass, part: isNote ? .note : part,
            progress: progress, page: page.records, retention: feed.retention, deletes: feed.deletes,
            acceptDrop: acceptDrop)
        commit.deleted = page.deleted
        commit.keyLevel = page.keyLevel
        commit.keepsDocument = feed.adapter == .http
        commit.document = page.document
        commit.ignore = feed.records.ignore
        commit.unordered = feed.records.unordered
        commit.isAscending = feed.details.sort?.direction == .asc
        commit.overlap = min(page.repeats, feed.details.limits.rows)
        commit.isResumed = log.isResumed
        commit.isDelta = end?.isDelta ?? false
        commit.doubt = end?.doubt
        try await apply(commit, &log)
        log.checkpoint = progress.checkpoint
    }

    private func apply(_ commit: PassCommit, _ log: inout FlightLog) async throws(Interruption) {
        var commit = commit
        commit.epoch = epoch
        do {
            log.take(try await store.apply(commit))
        } catch .stopped {
            throw .stopped
        } catch .reshaped {
            throw .reshaped
        } catch {
            log.hasAllMarks = false
            throw .store(error)
        }
    }
}

/// What a flight has done so far.
struct FlightLog: Sendable {
    var transport: FeedTransport
    var counts = RefreshCounts()
    /// As stored last; nil before the first time.
    var progress: FeedProgress?
    var store: StoredCounts?
    /// The one of the last page that was stored.
    var checkpoint: Checkpoint?
    /// Its pages belong together by it; never given twice by a running daemon, but to who goes on with the same pass.
    var pass: UInt64
    /// When the pass began.
    var start: Timestamp
    /// Whether the pass goes on where an earlier flight stopped: unless the store still knows the pass, its pages are
    /// not the whole list (semantics U12).
    var isResumed = false
    /// Whether the store knows all that the pass has met, and a pass that goes on meets nothing of it again.
    var hasAllMarks = true
    /// Of requests beside each other, which one it is.
    var lane = 0
    /// Whether a request was sent: the next one needs a turn.
    var hasAsked = false
    var effort = Flight.Effort()
    /// What the answer that is being read holds of the buffers.
    var lease: BufferLease?

    init(_ transport: FeedTransport, pass: UInt64, start: Timestamp) {
        self.transport = transport
        self.pass = pass
        self.start = start
    }

    mutating func take(_ outcome: CommitOutcome) {
        add(outcome.counts)
        progress = outcome.progress
        store = outcome.store
    }

    /// The log of one lane, for a sub-pass of its own.
    func ofLane(_ lane: Int, hasAsked: Bool) -> FlightLog {
        var log = FlightLog(transport, pass: pass, start: start)
        if var turn = transport.turn as? FlightTurn {
            turn.lane = lane
            log.transport.turn = turn
        }
        log.isResumed = isResumed
        log.lane = lane
        log.hasAsked = hasAsked
        return log
    }

    /// Takes in what a lane has done.
    mutating func take(_ lane: FlightLog) {
        add(lane.counts)
        progress = lane.progress ?? progress
        store = lane.store ?? store
        checkpoint = lane.checkpoint ?? checkpoint
        let turn = transport.turn
        transport = lane.transport
        transport.turn = turn
        hasAllMarks = hasAllMarks && lane.hasAllMarks
        hasAsked = hasAsked || lane.hasAsked
        effort.add(lane.effort)
    }

    private mutating func add(_ more: RefreshCounts) {
        counts.added += more.added
        counts.changed += more.changed
        counts.removed += more.removed
        counts.evicted += more.evicted
        counts.unchanged += more.unchanged
        counts.rejected += more.rejected
    }
}

/// A pass that ended before its list did; what it has met is still known to the store.
struct OpenPass: Sendable, Equatable {
    let pass: UInt64
    let start: Timestamp
    /// The one that was stored with its last page: with any other it is not the pass that goes on.
    let checkpoint: Checkpoint
}
