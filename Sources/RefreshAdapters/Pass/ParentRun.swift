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

/// One run through the parents' items, each with a pass of its own: which ones, from where, and what the run proves.
package struct ParentRun: Sendable {
    /// Still to be gone through, the next one last.
    private var rest: [ParentItem]
    private var state: PassState
    private let list: ParentList
    private let plan: PassPlan
    private let now: Timestamp
    /// Whether it goes on where an earlier run was interrupted.
    package let isResumed: Bool
    private let known: Seq
    /// Whether every parent is gone through, and everything of each is asked for.
    package let isFull: Bool
    /// Whether sub-passes ask for what is new alone.
    package let isIncremental: Bool
    /// Of the first sub-pass: what came later cannot lie below.
    private var bound: (largest: ScalarValue?, ceiling: Timestamp?)?
    private var largest: CursorScale.Value?
    private var isProven = true
    private var isWhole = true
    private var warnings: Set<String> = []
    package private(set) var failure: RefreshFailure?
    private var hasSuccess = false
    /// Time that the sub-passes took together.
    private var spent: Duration = .zero

    package init(_ plan: PassPlan, _ list: ParentList, checkpoint: Checkpoint?, now: Timestamp) {
        self.plan = plan
        self.list = list
        self.now = now
        var state = PassState(checkpoint, scope: plan.checkpointScope)
        let parent = plan.details.parent
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
        if let open = state.open, let done = open.parent, isKnown, open.isFull == isFull,
            now - open.at < plan.details.paging.resume, now >= open.at
        {
            items.removeAll { $0.createdSeq <= done }
            isResumed = true
        } else {
            isResumed = false
        }
        state.open = nil
        self.state = state
        rest = items.reversed()
    }

    /// The start of the next sub-pass; nil where all parents are done.
    package func next(random: Randomness) -> PassStart? {
        guard let item = rest.last else { return nil }
        var start = PassStart(now: now, random: random)
        start.parent = item.fields
        start.spent = spent
        // Of a parent that is new, what is old is new too.
        if isIncremental, !isFull, item.createdSeq <= known { start.sharedKey = state.key }
        return start
    }

    /// A sub-pass is over, whatever came of it; true where the run goes on.
    package mutating func ended(_ machine: PassMachine, _ end: PassEnd) -> Bool {
        spent = machine.spent
        bound = bound ?? machine.progress
        if let value = machine.progress.largest.flatMap({ scale?.read(kept: $0) }), let scale {
            if largest.map({ scale.isLess($0, than: value) }) ?? true { largest = value }
        }
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
            // One list that is refused or unreadable is its own affair; a host that is away is everybody's.
            let isOwn = failure.class == .upstream || failure.class == .data || failure.status == 403
            guard isOwn else { return false }
            warnings.insert("parent_failed")
        }
        if let item = rest.popLast() { done = item.createdSeq }
        return true
    }

    private var done: Seq?

    /// What is stored with a page of a sub-pass: parents that are done are not gone through again after a death.
    package func checkpoint() -> Checkpoint? {
        var state = state
        var open = PassState.Open(at: now, position: .first)
        open.isFull = isFull
        open.parent = done
        if done != nil { state.open = open }
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
        if failure == nil, isIncremental { raiseKey() }
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

    // MARK: - Key

    private var scale: CursorScale? {
        guard case .field(let field) = plan.details.incremental?.kind else { return nil }
        return CursorScale(field.kind, format: field.format, zone: field.zone)
    }

    /// A row that came into the first list behind its reading lies above everything that was there then: above the
    /// upstream's time of that moment, or else above what that list itself held.
    private mutating func raiseKey() {
        guard let scale, let largest, let bound else { return }
        var value: CursorScale.Value
        if let ceiling = bound.ceiling.flatMap({ scale.value(of: $0) }) {
            value = scale.isLess(ceiling, than: largest) ? ceiling : largest
        } else if let first = bound.largest.flatMap({ scale.read(kept: $0) }) {
            value = first
        } else {
            return
        }
        if let key = state.key.flatMap({ scale.read(kept: $0) }), !scale.isLess(key, than: value) { return }
        if case .time(let time, _) = value, case .time(_, let isNaive) = largest {
            value = .time(time, isNaive: isNaive)
        }
        state.key = scale.kept(value)
    }
}

extension IncrementalPlan.Kind {
    /// Whether one key can serve many lists.
    var isShared: Bool { if case .field = self { true } else { false } }
}
