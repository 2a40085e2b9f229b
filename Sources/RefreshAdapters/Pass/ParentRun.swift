import RefreshCore
import RefreshFormats

/// One item of a parent feed, as far as a sub-pass needs it.
package struct ParentItem: Sendable, Equatable {
    /// The place of its first sight in its feed's log: items are gone through in this order.
    package let createdSeq: Seq
    /// The place of its last change.
    package let seq: Seq
    package let fields: [String: ScalarValue]

    package init(createdSeq: Seq, seq: Seq, fields: [String: ScalarValue]) {
        self.createdSeq = createdSeq
        self.seq = seq
        self.fields = fields
    }
}

/// The items of a parent feed at one moment.
package struct ParentList: Sendable, Equatable {
    package let epoch: UInt64
    /// Where the feed's log stands.
    package let seq: Seq
    /// The place of the last deletion in the log; 0 is none.
    package let lastDeletion: Seq
    /// In the order of their first sight.
    package let items: [ParentItem]

    package init(epoch: UInt64, seq: Seq, lastDeletion: Seq, items: [ParentItem]) {
        self.epoch = epoch
        self.seq = seq
        self.lastDeletion = lastDeletion
        self.items = items.sorted { $0.createdSeq < $1.createdSeq }
    }
}

/// One run through the parents' items, each with a pass of its own, some of them beside each other: which ones, from
/// where, and what the run proves.
package struct ParentRun: Sendable {
    /// A sub-pass under way.
    package struct SubPass: Sendable {
        package let start: PassStart
        fileprivate let number: Int
    }

    /// How many sub-passes may be under way at a time.
    package let concurrent: Int
    private let items: [ParentItem]
    /// So many of the items have been begun, and so many are done without a gap.
    private var begun = 0
    private var done = 0
    /// Done behind that: never further than what is begun beside the oldest one under way.
    private var doneAhead: Set<Int> = []
    /// The place of the last item that is done without a gap, and without a failure before it.
    private var place: Seq?
    /// The first item whose list could not be read: a run that goes on begins with it.
    private var firstFailed = Int.max
    /// Whether a list was left with some of its pages stored.
    private var isPartlyRead = false
    private var state: PassState
    private let list: ParentList
    private let plan: PassPlan
    private let now: Timestamp
    /// Whether it goes on where an earlier run was interrupted.
    package let goesOn: Bool
    /// The same, and what the earlier one has met is lost.
    private let isResumed: Bool
    private let known: Seq
    /// Whether every parent is gone through, and everything of each is asked for.
    package let isFull: Bool
    /// Whether sub-passes ask for what is new alone.
    package let isIncremental: Bool
    private var key: SharedKey
    private var isProven = true
    private var isWhole = true
    private var warnings: Set<String> = []
    package private(set) var failure: RefreshFailure?
    private var hasSuccess = false
    /// Time that the sub-passes took together.
    private var spent: Duration = .zero

    /// - Parameter hasMarks: whether what an interrupted run has met is still known to the store.
    package init(
        _ plan: PassPlan, _ list: ParentList, checkpoint: Checkpoint?, hasMarks: Bool = false, now: Timestamp
    ) {
        self.plan = plan
        self.list = list
        self.now = now
        var state = PassState(checkpoint, scope: plan.checkpointScope)
        let parent = plan.details.parent
        concurrent = max(parent?.concurrent ?? 1, 1)
        let changedOnly = parent?.changedOnly ?? true
        // Children that nobody reads while their parent stands still may be older than any key (`changed_only`), and
        // a token belongs to one list.
        isIncremental = !changedOnly && plan.details.incremental?.kind.isShared ?? false
        let isKnown = state.parentEpoch == list.epoch
        known = isKnown ? state.parentSeq ?? 0 : 0
        let every = plan.details.incremental.map(\.fullEvery) ?? .seconds(86_400)
        let isDue =
            state.lastFull.map { last in every.map { now - last >= $0 || last > now } ?? false } ?? true
        let isGone = changedOnly && list.lastDeletion > known
        isFull = isDue || !isKnown || isGone || !changedOnly && !isIncremental
        var items =
            isFull || !changedOnly ? list.items : list.items.filter { $0.seq > (state.parentSeq ?? 0) }
        key = SharedKey(plan.details.incremental)
        if let open = state.open, let done = open.parent, isKnown, open.isFull == isFull,
            now - open.at < plan.details.paging.resume, now >= open.at
        {
            items.removeAll { $0.createdSeq <= done }
            place = done
            goesOn = true
            key.goOn(open.increments)
        } else {
            goesOn = false
        }
        isResumed = goesOn && !hasMarks
        state.open = nil
        self.state = state
        self.items = items
    }

    /// The next sub-pass to begin; nil where there is none, or none before the oldest one under way is over.
    package mutating func next(random: Randomness) -> SubPass? {
        // What is done behind a gap is read again after a death: let that be little.
        guard begun < items.count, begun - done < 4 * concurrent else { return nil }
        let item = items[begun]
        var start = PassStart(now: now, random: random)
        start.parent = item.fields
        start.spent = spent
        // Of a parent that is new, what is old is new too.
        if isIncremental, !isFull, item.createdSeq <= known { start.sharedKey = state.key }
        begun += 1
        return SubPass(start: start, number: begun - 1)
    }

    /// A sub-pass is over, whatever came of it, and all of it is stored; true where the run goes on.
    package mutating func ended(_ sub: SubPass, _ machine: PassMachine, _ end: PassEnd) -> Bool {
        spent += machine.spent - sub.start.spent
        key.ended(number: sub.number, begun: begun, machine.progress)
        warnings.formUnion(machine.warnings.map(\.rawValue))
        switch end {
        case .done(let done):
            hasSuccess = true
            if !done.isComplete || done.doubt != nil { isProven = false }
            if !done.isWhole { isWhole = false }
        case .failed(let failure, _):
            isProven = false
            isWhole = false
            self.failure = self.failure ?? failure
            if machine.hasStored { isPartlyRead = true }
            // One list that is refused or unreadable is its own affair; a host that is away is everybody's.
            let isOwn = failure.class == .upstream || failure.class == .data || failure.status == 403
            guard isOwn else { return false }
            warnings.insert("parent_failed")
            firstFailed = min(firstFailed, sub.number)
        }
        doneAhead.insert(sub.number)
        while doneAhead.remove(done) != nil {
            if done < firstFailed { place = items[done].createdSeq }
            done += 1
        }
        return true
    }

    /// Whether a run that goes on meets nothing that this one has met: only then do both together prove the whole list.
    package var isCutCleanly: Bool { !isPartlyRead && doneAhead.isEmpty && firstFailed == .max }

    /// What is stored with a page of a sub-pass: parents that are done are not gone through again after a death.
    package func checkpoint() -> Checkpoint? {
        var state = state
        var open = PassState.Open(at: now, position: .first)
        open.isFull = isFull
        open.parent = place
        open.increments = key.kept
        if place != nil { state.open = open }
        // Places in the parent's log mean something only with its epoch.
        state.parentEpoch = list.epoch
        if state.parentEpoch != self.state.parentEpoch { state.parentSeq = 0 }
        return state.checkpoint(scope: plan.checkpointScope)
    }

    /// The end of the run: whether it proves the whole list, and what the next one goes on from. A failure where no
    /// sub-pass went well.
    package mutating func finish() -> Result<PassDone, RefreshFailure> {
        if let failure, !hasSuccess { return .failure(failure) }
        let isComplete = isFull && isProven
        state.open = nil
        state.parentEpoch = list.epoch
        if failure == nil { state.parentSeq = list.seq }
        if failure == nil, isIncremental { state.key = key.raised(from: state.key) }
        if isFull, isWhole, !isResumed { state.lastFull = now }
        var report = PassReport(checkpoint: state.checkpoint(scope: plan.checkpointScope))
        report.scope = plan.validatorScope
        report.warnings = warnings.sorted()
        let page = PassPage(records: RecordPage(text: [], rows: []), checkpoint: report.checkpoint)
        return .success(
            PassDone(
                page: page, isComplete: isComplete, doubt: nil, isResumed: isResumed, isWhole: isWhole,
                report: report, stop: nil))
    }
}

extension IncrementalPlan.Kind {
    /// Whether one key can serve many lists: a time or a number can, a token belongs to its list.
    var isShared: Bool { if case .token = self { false } else { true } }
}
