import RefreshCore
import RefreshFormats
import RefreshTransfer

/// One pass through a list, from its first request to its end: answers go in, requests and pages to store come out.
///
/// It decides everything and does nothing: whoever drives it may die between any two steps, and a new machine goes
/// on from the checkpoint that was stored last.
package struct PassMachine: Sendable {
    let plan: PassPlan
    let start: PassStart
    var state: PassState
    var paginator: Paginator
    var increments: Increments?
    /// As it was stored last.
    private(set) var stored: PassState
    private let rules: ErrorRules
    private var retries: Retries
    private var random: Randomness
    /// Time spent on requests; pauses do not count.
    package private(set) var spent: Duration
    private var requests = 0
    private var restarts = 0
    private var isResync = false
    private var asked: TransferRequest?
    /// Its body is with the feed's program.
    private var piping: TransferAnswer?
    private var isConditional = false
    /// What is done once the page handed out is stored.
    private var next: Next?
    var first = FirstAnswer()
    var hints: FeedHints?
    /// Of the page that was read last.
    private var repeats = 0
    var isExpired = false
    private var keys: KeyPolicy
    /// Of the last answer, for people.
    var status: Int?
    var wireBytes = 0
    /// One for each request, where somebody wants them.
    package private(set) var notes: [PageNote] = []
    private let keepsNotes: Bool

    private enum Next: Sendable {
        case ask
        case fail(RefreshFailure)
    }

    package init(_ plan: PassPlan, start: PassStart, keepsNotes: Bool = false) {
        self.plan = plan
        self.start = start
        self.keepsNotes = keepsNotes
        random = start.random
        keys = start.entryKeys.policy(forced: plan.feed.records.keyLevel)
        rules = ErrorRules(plan.details.errors, rates: plan.details.limits.headers)
        retries = Retries(plan.details.retry)
        state = PassState(start.checkpoint, scope: plan.checkpointScope)
        if start.parent != nil {
            // Whether everything is asked for is decided once for all of them.
            state = PassState()
            state.key = start.sharedKey
            state.lastFull = start.now
        }
        spent = start.spent
        stored = state
        paginator = PassMachine.paginator(plan)
        if let open = state.open, PassMachine.goesOn(open, plan, start) {
            resume(open)
        } else {
            state.open = nil
            begin(wantsFull: start.wantsFull)
        }
    }

    private static func paginator(_ plan: PassPlan, resumed: Paginator.Resumption? = nil) -> Paginator {
        Paginator(
            plan.details.paging, origin: plan.feed.request.url.origin,
            remembersKeys: plan.feed.absent == .gone, resumed: resumed)
    }

    /// Whether an interrupted pass is young enough to go on (`paginate.resume`).
    private static func goesOn(_ open: PassState.Open, _ plan: PassPlan, _ start: PassStart) -> Bool {
        let age = start.now - open.at
        return start.mayGoOn && !start.wantsFull && age >= .zero && age < plan.details.paging.resume
    }

    private mutating func begin(wantsFull: Bool) {
        paginator = PassMachine.paginator(plan)
        first.next = nil
        increments = plan.details.incremental.map {
            Increments(
                $0, key: state.key, lastFull: state.lastFull, lastTried: state.lastTried,
                reached: state.reached, isShifting: plan.details.paging.kind.isShifting, now: start.now,
                wantsFull: wantsFull)
        }
        // Of a list in one page nothing is stored before its end.
        if increments?.isFull == true { state.lastTried = start.now }
    }

    private mutating func resume(_ open: PassState.Open) {
        var resumption = Paginator.Resumption(
            position: open.position, pages: open.pages, rows: open.rows, total: open.total)
        resumption.hasMarks = start.hasMarks
        paginator = PassMachine.paginator(plan, resumed: resumption)
        first.next = open.next
        increments = plan.details.incremental.map {
            Increments(
                $0, key: state.key, reached: state.reached,
                isShifting: plan.details.paging.kind.isShifting, isFull: open.isFull, now: start.now,
                resuming: open.increments)
        }
    }

    /// What a new pass would go on from: for who has to give it up.
    package var checkpoint: Checkpoint? { stored.checkpoint(scope: plan.checkpointScope) }

    /// Whether it goes on where an earlier pass was interrupted.
    package var goesOn: Bool { paginator.goesOn }

    /// Whether pages of it are stored, and the last one was not among them.
    var hasStored: Bool { paginator.pages > 0 }

    /// How far a sub-pass has come.
    struct Progress {
        /// The greatest cursor of its rows.
        let largest: ScalarValue?
        /// The upstream's time when it began.
        let ceiling: Timestamp?
        /// The key that a next pass over this list alone would go on from.
        let key: ScalarValue?
    }

    var progress: Progress {
        Progress(largest: increments?.kept.largest, ceiling: increments?.kept.ceiling, key: increments?.key)
    }

    package var warnings: Set<PassWarning> { paginator.warnings.union(increments?.warnings ?? []) }

    // MARK: - Events

    /// The first thing to do.
    package mutating func begin() -> PassEffect { ask() }

    /// An answer came.
    ///
    /// - Parameter took: how long it took, redirects included.
    package mutating func answered(_ answer: TransferAnswer, took: Duration, now: Timestamp) -> PassEffect {
        spent += took
        if keepsNotes {
            let rates = RateReading(answer.headers, as: plan.details.limits.headers, now: now)
            note { note in
                note.status = answer.status
                note.rates = rates
            }
        }
        status = answer.status
        wireBytes += answer.wireBytes
        if requests == 1 { first.take(answer, took: took, now: now) }
        increments?.began(at: first.upstreamStart)
        if paginator.ends(on: answer.status) { return ended(.endOn, nil, now: now) }
        let isReset = increments?.isReset(by: answer.status) ?? false
        switch rules.verdict(answer, conditional: isConditional, isReset: isReset, now: now) {
        case .content: return content(answer, now: now)
        case .empty: return read(nil, answer, now: now)
        case .notModified: return unchanged(isFull: false)
        case .ignore: return ignored(now: now)
        case .gone(let failure): return start.parent == nil ? fail(failure) : read(nil, answer, now: now)
        case .retry(let failure): return retry(failure)
        case .wait(let failure): return wait(failure)
        case .login(let failure), .fail(let failure): return fail(failure)
        case .restartPages(let failure): return restart(failure)
        case .fullResync(let failure): return resync(failure)
        }
    }

    /// The feed's program has read the body of the last answer.
    ///
    /// - Parameter took: how long it took.
    package mutating func piped(_ body: PaddedBytes, took: Duration, now: Timestamp) -> PassEffect {
        guard let answer = piping else { preconditionFailure("no body is with a program") }
        spent += took
        piping = nil
        return open(answer.replacing(body: body), now: now)
    }

    /// No answer came, or the feed's program failed.
    package mutating func failed(_ failure: RefreshFailure, took: Duration) -> PassEffect {
        spent += took
        return failure.class == .transient ? retry(failure) : fail(failure)
    }

    /// What `store` asked for is stored.
    package mutating func storedPage() -> PassEffect {
        stored = state
        switch next {
        case .fail(let failure): return fail(failure)
        case .ask, nil: return ask()
        }
    }

    // MARK: - Requests

    private mutating func ask() -> PassEffect {
        do {
            let request = try nextRequest()
            requests += 1
            retries.reset()
            asked = request
            if keepsNotes { notes.append(PageNote(request)) }
            return .ask(request)
        } catch {
            return fail(error)
        }
    }

    private mutating func nextRequest() throws(RefreshFailure) -> TransferRequest {
        let left = plan.details.limits.pass - spent
        guard left > .zero else {
            throw RefreshFailure(
                .transient, code: "pass-timeout",
                detail: "the pass took longer than \(DurationText.format(plan.details.limits.pass)); "
                    + "it goes on at page \(paginator.pages + 1)")
        }
        isConditional =
            plan.mayBeConditional && requests == 0 && paginator.position == .first
            && !start.validators.isEmpty
        let place = try PageRequest(plan, start, paginator.position, increments)
        return try plan.builder.request(
            place.values, sending: place.sendings, link: place.link, at: start.effectiveURL,
            without: place.without, validators: isConditional ? start.validators : Validators(), within: left)
    }

    /// The same request again, inside a pass under way; a first one is the policy's to repeat.
    private mutating func retry(_ failure: RefreshFailure) -> PassEffect {
        guard requests > 1 || paginator.pages > 0, let asked,
            failure.retryAfter ?? .zero <= plan.details.limits.waitMax,
            let delay = retries.next(chance: random.unit(), atLeast: failure.retryAfter)
        else { return fail(failure) }
        return again(asked, after: delay, isAsked: false)
    }

    private mutating func wait(_ failure: RefreshFailure) -> PassEffect {
        guard requests > 1 || paginator.pages > 0, let asked,
            let delay = Optional(failure.retryAfter ?? .seconds(60)), delay <= plan.details.limits.waitMax,
            let pause = retries.next(chance: 0, atLeast: max(delay, .seconds(1)))
        else { return fail(failure) }
        return again(asked, after: pause, isAsked: true)
    }

    private mutating func again(
        _ request: TransferRequest, after delay: Duration, isAsked: Bool
    ) -> PassEffect {
        requests += 1
        if keepsNotes { notes.append(PageNote(request)) }
        return .pause(delay, isAsked: isAsked, then: request)
    }

    /// The list from its first page; what was read of it stays.
    private mutating func restart(_ failure: RefreshFailure) -> PassEffect {
        restarts += 1
        guard restarts <= 2 else { return fail(failure) }
        state.open = nil
        begin(wantsFull: start.wantsFull)
        return ask()
    }

    /// Everything from the beginning, since the key is refused: first it is forgotten for good, so that a crash does
    /// not bring it back (U11).
    private mutating func resync(_ failure: RefreshFailure) -> PassEffect {
        guard !isResync, increments?.isFull == false || state.key != nil else { return fail(failure) }
        isResync = true
        state = PassState()
        begin(wantsFull: true)
        next = .ask
        return .store(PassPage(checkpoint: state.checkpoint(scope: plan.checkpointScope)))
    }

    // MARK: - Answers

    private mutating func content(_ answer: TransferAnswer, now: Timestamp) -> PassEffect {
        if requests == 1, plan.mayBeConditional, paginator.pages == 0 {
            let hash = ContentHash.of(answer.body.content)
            first.bodyHash = hash
            if hash == start.bodyHash { return unchanged(isFull: true) }
        }
        guard plan.feed.records.pipe.isEmpty else {
            piping = answer
            return .pipe(answer.body)
        }
        return open(answer, now: now)
    }

    private mutating func open(_ answer: TransferAnswer, now: Timestamp) -> PassEffect {
        do {
            return read(try plan.adapter.open(answer, keys: keys), answer, now: now)
        } catch {
            return fail(error)
        }
    }

    private mutating func read(
        _ document: (any ReadDocument)?, _ answer: TransferAnswer, now: Timestamp
    ) -> PassEffect {
        do throws(RefreshFailure) {
            var wish = ReadWish(now: now)
            wish.cursor = increments?.cursor
            wish.deleted = plan.feed.deletes.list
            if case .keyset(let from, _) = plan.details.paging.kind { wish.keyset = from }
            var harvest = Harvest.empty
            if let document { harvest = try document.harvest(wish) }
            try increments?.took(harvest.cursors)
            if let parent = start.parent { harvest = try ParentFields(plan.feed, parent).added(to: harvest) }
            guard paginator.rows + harvest.count <= plan.details.limits.rows else {
                throw RefreshFailure(
                    .data, code: "pass-too-many-rows",
                    detail: "the pass has more than \(plan.details.limits.rows) rows")
            }
            return try took(harvest, PageValues(document, headers: answer.headers), answer, now: now)
        } catch {
            return fail(error)
        }
    }

    private mutating func took(
        _ harvest: Harvest, _ values: PageValues, _ answer: TransferAnswer, now: Timestamp
    ) throws(RefreshFailure) -> PassEffect {
        hints = harvest.hints ?? hints
        isExpired = isExpired || harvest.isExpired
        // The documents of one pass have to agree, and a level is only ever lowered.
        if let level = harvest.keyLevel, level > keys.level { keys = KeyPolicy(stored: level) }
        let facts = PassMachine.facts(harvest, values, plan.details.paging, base: answer.effectiveURL)
        let isFirst = paginator.position == .first
        repeats = paginator.allowance
        if let place = increments?.nextPlace, place.isOfFirstPage, isFirst {
            first.next = values[place.place]
        }
        let step = try paginator.read(facts)
        note { note in
            note.rows = harvest.count
            note.kept = harvest.page.rows.count
            note.rejected = harvest.page.rejected
        }
        switch step {
        case .next(let position):
            note { $0.next = position }
            if increments?.isBelowBound == true { return ended(.bound, harvest, values, now: now) }
            return goOn(harvest, now: now)
        case .stop(let stop):
            return ended(stop, harvest, values, now: now)
        }
    }

    private mutating func goOn(_ harvest: Harvest, now: Timestamp) -> PassEffect {
        increments?.pageEnded()
        keepOpen(now: now)
        next = .ask
        return .store(page(harvest))
    }

    private mutating func keepOpen(now: Timestamp) {
        if let increments { state.key = increments.key }
        var open = PassState.Open(at: now, position: paginator.position)
        open.pages = paginator.pages
        open.rows = paginator.rows
        open.total = paginator.total
        open.isFull = increments?.isFull ?? false
        if let increments { open.increments = increments.kept }
        open.next = first.next
        state.open = open
    }

    private func page(_ harvest: Harvest?) -> PassPage {
        PassPage(
            records: (harvest ?? .empty).page, deleted: harvest?.deleted ?? [],
            checkpoint: start.parent == nil ? state.checkpoint(scope: plan.checkpointScope) : nil,
            repeats: repeats, keyLevel: harvest?.keyLevel, document: harvest?.document)
    }

    private mutating func fail(_ failure: RefreshFailure) -> PassEffect {
        note { $0.failure = failure }
        return .finish(.failed(failure, checkpoint: checkpoint))
    }

    private mutating func note(_ change: (inout PageNote) -> Void) {
        if keepsNotes, let last = notes.indices.last { change(&notes[last]) }
    }

    // MARK: - Ends

    private mutating func ended(
        _ stop: PageStop, _ harvest: Harvest?, _ values: PageValues? = nil, now: Timestamp
    ) -> PassEffect {
        note { $0.stop = stop }
        if stop == .loop {
            // What was read stays, and what was not proves nothing.
            keepOpen(now: now)
            state.open = nil
            next = .fail(
                RefreshFailure(
                    .loop, code: "paging-loop",
                    detail: "page \(paginator.pages) leads back to a page that was read before"))
            return .store(page(harvest))
        }
        guard stop.isEnd else { return done(stop, harvest, isComplete: false) }
        if increments?.nextWindow() == true {
            paginator.turnToNextList()
            keepOpen(now: now)
            next = .ask
            return .store(page(harvest))
        }
        if let place = increments?.nextPlace {
            let next = place.isOfFirstPage ? first.next : values?[place.place]
            increments?.ended(next: next, pages: paginator.pages)
        } else {
            increments?.ended(next: nil, pages: paginator.pages)
        }
        // Whether absence means something after this pass (U12).
        let listsAll = !(harvest?.isWindow ?? false) && increments?.listsAll ?? true
        return done(stop, harvest, isComplete: listsAll)
    }

    private mutating func done(_ stop: PageStop, _ harvest: Harvest?, isComplete: Bool) -> PassEffect {
        if let increments {
            state.key = increments.key
            state.reached = increments.reached
        }
        state.open = nil
        let isWhole = stop.isEnd && paginator.doubts.isEmpty && !paginator.isResumed
        if isWhole, increments?.isFull == true {
            state.lastFull = start.now
            state.lastTried = nil
        }
        return .finish(
            .done(
                PassDone(
                    page: page(harvest), isComplete: isComplete, doubt: paginator.doubts.first?.rawValue,
                    isResumed: paginator.isResumed, isWhole: isWhole,
                    isDelta: isWhole && increments?.isFull == false,
                    report: report(isUnchanged: false), stop: stop)))
    }

    private mutating func unchanged(isFull: Bool) -> PassEffect {
        state.open = nil
        return .finish(
            .done(
                PassDone(
                    page: nil, isComplete: false, isWhole: false,
                    report: report(isUnchanged: true, isFull: isFull), stop: nil)))
    }

    /// A rule of the user's says that this answer counts for nothing: the pass ends as far as it came.
    private mutating func ignored(now: Timestamp) -> PassEffect {
        paginator.pages == 0 && requests == 1
            ? unchanged(isFull: false) : done(.noNext, nil, isComplete: false)
    }

    private func report(isUnchanged: Bool, isFull: Bool = true) -> PassReport {
        // Validators of a first page say nothing of the pages behind it (V7).
        let isSingle = requests == 1 && paginator.pages <= 1 && plan.mayBeConditional
        var report = PassReport(
            validators: isUnchanged && !isFull
                ? start.validators.merged(with: first.headers)
                : isSingle ? Validators(replacingWith: first.headers) : Validators(),
            scope: plan.validatorScope, freshness: first.freshness, feedHints: hints,
            bodyHash: isSingle ? first.bodyHash ?? start.bodyHash : nil, isUnchanged: isUnchanged,
            isFull: isFull, permanentTarget: first.permanentTarget, isExpired: isExpired,
            checkpoint: state.checkpoint(scope: plan.checkpointScope))
        report.staleRules = first.staleRules
        report.warnings = warnings.map(\.rawValue).sorted()
        report.status = status
        report.bytes = wireBytes
        return report
    }
}
