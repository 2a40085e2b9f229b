import RefreshCore

/// What one pass asks its upstream for, and how far the key of the next one may go (semantics U1–U9).
package struct Increments: Sendable {
    /// Whether everything is asked for.
    package let isFull: Bool
    /// What is sent as the lower and the upper bound; nil is none.
    package private(set) var since: ScalarValue?
    package private(set) var until: ScalarValue?
    /// The key of the next pass as it stands; it never goes back (U9).
    package private(set) var key: ScalarValue?
    package private(set) var warnings: Set<PassWarning> = []

    private let plan: IncrementalPlan
    private let now: Timestamp
    /// The greatest value that the pass has met.
    private var largest: CursorScale.Value?
    /// The upstream's time when the pass began; no key of a time goes beyond it.
    private var ceiling: Timestamp?
    private var window: Range<Timestamp>?
    /// Whether rows can slip from one page to the one before while they are read: of numbered pages and offsets.
    private let isShifting: Bool
    /// How far the last pass came; of shifting pages the key follows one pass behind, so that the next one meets
    /// again what may have slipped (U15).
    package private(set) var reached: ScalarValue?

    /// What is kept of a pass under way, so that it can go on.
    package struct Kept: Sendable, Equatable {
        package var since: ScalarValue?
        package var until: ScalarValue?
        package var largest: ScalarValue?
        package var ceiling: Timestamp?
        /// The end of the window that is read.
        package var windowEnd: Timestamp?

        package init() {}
    }

    /// A pass from its beginning.
    ///
    /// - Parameters:
    ///   - key: what the last pass left; nil is nothing, or nothing that holds any more.
    ///   - lastFull: when everything was read last.
    ///   - lastTried: when that was begun last.
    ///   - wantsFull: whether everything is asked for in any case.
    package init(
        _ plan: IncrementalPlan, key: ScalarValue?, lastFull: Timestamp?, lastTried: Timestamp? = nil,
        reached: ScalarValue? = nil, isShifting: Bool = false, now: Timestamp, wantsFull: Bool = false
    ) {
        self.isShifting = isShifting
        self.reached = reached
        self.plan = plan
        self.now = now
        self.key = key
        isFull = wantsFull || key == nil || Increments.isFullDue(plan.fullEvery, lastFull, lastTried, now)
        begin()
    }

    /// A pass that goes on where it was interrupted.
    package init(
        _ plan: IncrementalPlan, key: ScalarValue?, reached: ScalarValue? = nil, isShifting: Bool = false,
        isFull: Bool, now: Timestamp, resuming kept: Kept
    ) {
        self.isShifting = isShifting
        self.reached = reached
        self.plan = plan
        self.now = now
        self.key = key
        self.isFull = isFull
        since = kept.since
        until = kept.until
        ceiling = kept.ceiling
        largest = kept.largest.flatMap { scale?.read(kept: $0) }
        if let end = kept.windowEnd { window = end..<end }
    }

    package var kept: Kept {
        var kept = Kept()
        kept.since = since
        kept.until = until
        kept.ceiling = ceiling
        kept.largest = largest.flatMap { scale?.kept($0) }
        kept.windowEnd = window?.upperBound
        return kept
    }

    private static func isFullDue(
        _ every: Duration?, _ last: Timestamp?, _ tried: Timestamp?, _ now: Timestamp
    ) -> Bool {
        guard let every else { return false }
        // Where it never comes to its end, what is new must not starve for it.
        if let tried, isRecent(tried, now, within: min(every, .seconds(3_600))) { return false }
        guard let last else { return true }
        return !isRecent(last, now, within: every)
    }

    private static func isRecent(_ time: Timestamp, _ now: Timestamp, within duration: Duration) -> Bool {
        // A time that lies ahead was written before somebody set the clock back.
        now - time < duration && time - now <= duration
    }

    // MARK: - What is asked

    /// Where a page's rows say when they changed.
    package var cursor: BodyPath? {
        guard case .field(let field) = plan.kind else { return nil }
        return field.cursor
    }

    /// The bounds in their places.
    package var sendings: [RequestBuilder.Sending] {
        var sendings: [RequestBuilder.Sending] = []
        func send(_ value: ScalarValue?, to place: SendPlace?) {
            if let value, let place { sendings.append(.init(place, value)) }
        }
        switch plan.kind {
        case .field(let field):
            send(since, to: field.to)
            send(until, to: field.untilTo)
        case .token(let token): send(since, to: token.to)
        case .serverTime(let time): send(since, to: time.to)
        }
        return sendings
    }

    /// Whether everything that the upstream has is asked for: from a moment before now on it is not.
    package var listsAll: Bool {
        guard isFull else { return false }
        switch plan.kind {
        case .field(let field): return !field.start.isAgo
        case .serverTime(let time): return !time.start.isAgo
        case .token: return true
        }
    }

    /// Whether the key of this pass is one that an upstream can refuse (U11).
    package func isReset(by status: Int) -> Bool {
        guard case .token(let token) = plan.kind, since != nil else { return false }
        return token.resetOn.contains(status)
    }

    private var scale: CursorScale? {
        switch plan.kind {
        case .field(let field): CursorScale(field.kind, format: field.format, zone: field.zone)
        case .serverTime(let time): CursorScale(time.kind)
        case .token: nil
        }
    }

    private mutating func begin() {
        switch plan.kind {
        case .token: since = isFull ? nil : key
        case .serverTime(let time):
            since = lowerBound(time.start, overlap: time.overlap, isExclusive: false)
        case .field(let field):
            since = lowerBound(field.start, overlap: field.overlap, isExclusive: field.bound == .exclusive)
            guard let step = field.step, let from = since.flatMap({ scale?.read($0) }),
                case .time(let start, _) = from
            else { return }
            open(start..<start + step)
        }
    }

    private func lowerBound(
        _ start: IncrementalPlan.Start?, overlap: Duration, isExclusive: Bool
    ) -> ScalarValue? {
        guard let scale else { return nil }
        if !isFull, let key, let value = scale.read(kept: key) {
            return scale.sent(scale.early(value, overlap: overlap, isExclusive: isExclusive))
        }
        switch start {
        case nil: return nil
        case .ago(let duration): return scale.value(of: now + (.zero - duration)).map { scale.sent($0) }
        case .value(let text):
            let isNumber = scale.kind == .epoch || scale.kind == .epochMilliseconds || scale.kind == .int
            return isNumber && DecimalNumber(text.utf8) != nil
                ? ScalarValue(kind: .number, bytes: Array(text.utf8)) : ScalarValue(text)
        }
    }

    // MARK: - Windows

    private mutating func open(_ window: Range<Timestamp>) {
        self.window = window
        guard let scale else { return }
        since = scale.value(of: window.lowerBound).map { scale.sent($0) }
        until = scale.value(of: window.upperBound).map { scale.sent($0) }
    }

    /// Goes on to the next window where the upstream's present is beyond this one, which has been read to its end.
    package mutating func nextWindow() -> Bool {
        guard case .field(let field) = plan.kind, let step = field.step, let window,
            window.upperBound < ceiling ?? now
        else { return false }
        if let end = scale?.value(of: window.upperBound) { raise(to: end) }
        open(window.upperBound..<window.upperBound + step)
        return true
    }

    // MARK: - What was read

    /// Notes the upstream's time as of the beginning of the first request.
    package mutating func began(at upstream: Timestamp?) { ceiling = ceiling ?? upstream }

    /// Takes in the cursors of a page's rows; throws where one is missing that must not be.
    package mutating func took(_ cursors: [ScalarValue?]) throws(RefreshFailure) {
        guard case .field(let field) = plan.kind, let scale else { return }
        var last: CursorScale.Value?
        for cursor in cursors {
            if let cursor, let value = scale.read(cursor) {
                if largest.map({ scale.isLess($0, than: value) }) ?? true { largest = value }
                if case .time(_, isNaive: true) = value, field.zone == nil, field.kind == .rfc3339 {
                    warnings.insert(.zoneAssumed)
                }
                last = value
                continue
            }
            if let cursor, cursor.kind != .null { warnings.insert(.cursorUnreadable) }
            guard field.missing != .fail else {
                throw RefreshFailure(
                    .data, code: "cursor-missing",
                    detail: "a row has no value at \(field.cursor.text) by which passes go on")
            }
        }
        isBelowBound = isOld(last, field, scale)
    }

    /// Whether the last page ended below what was asked for: of a list from the newest on, the rest is older.
    package private(set) var isBelowBound = false

    private func isOld(
        _ last: CursorScale.Value?, _ field: IncrementalPlan.Field, _ scale: CursorScale
    ) -> Bool {
        // Rows without a value say nothing.
        guard field.order == .desc, !isFull, let last, let since, let bound = scale.read(since) else {
            return false
        }
        return scale.isLess(last, than: bound)
    }

    /// Moves the key as far as a page that is not the last one allows: only where rows come in their order (U2).
    package mutating func pageEnded() {
        guard case .field(let field) = plan.kind, field.order == .asc, let largest else { return }
        // The group of the last value may go on with the next page. Asking from the value on, or from below it,
        // brings it again; of a text that the upstream leaves out there is no below (U8).
        guard field.kind != .text || field.bound == .inclusive else { return }
        if !isShifting || isFull { raise(to: largest) }
    }

    /// Moves the key at the end of a pass that was read to its end.
    ///
    /// - Parameter value: what stands at `next` on the page that counts; of a `field` without meaning.
    package mutating func ended(next value: ScalarValue?, pages: Int) {
        switch plan.kind {
        case .field: fieldEnded(isSlippery: isShifting && !isFull && pages > 1)
        case .token:
            if let value, !value.bytes.isEmpty {
                key = value
            } else {
                warnings.insert(.tokenMissing)
            }
        case .serverTime:
            if let value, let time = serverTime(value) {
                raise(to: time)
            } else {
                warnings.insert(.tokenMissing)
            }
        }
    }

    private mutating func fieldEnded(isSlippery: Bool) {
        let earlier = reached.flatMap { scale?.read(kept: $0) }
        if isSlippery {
            reached = largest.flatMap { scale?.kept(bounded($0)) }
            if let earlier { raise(to: earlier) }
        } else {
            reached = nil
            if let largest { raise(to: largest) }
        }
    }

    /// Of which page the value at `next` counts: a token stands on the last one, a time on the first (U6).
    package var nextPlace: (place: ReadPlace, isOfFirstPage: Bool)? {
        switch plan.kind {
        case .field: nil
        case .token(let token): (token.next, false)
        case .serverTime(let time): (time.next, true)
        }
    }

    private func serverTime(_ value: ScalarValue) -> CursorScale.Value? {
        guard case .serverTime(let plan) = plan.kind else { return nil }
        if case .header = plan.next, let date = Timestamp(httpDate: value.bytes, now: now) {
            return .time(date, isNaive: false)
        }
        return scale?.read(value)
    }

    private func bounded(_ value: CursorScale.Value) -> CursorScale.Value {
        guard case .time(let time, let isNaive) = value, let ceiling, ceiling < time else { return value }
        return .time(ceiling, isNaive: isNaive)
    }

    private mutating func raise(to value: CursorScale.Value) {
        guard let scale else { return }
        let value = bounded(value)
        if let key, let old = scale.read(kept: key), !scale.isLess(old, than: value) { return }
        key = scale.kept(value)
    }
}

extension Optional<IncrementalPlan.Start> {
    fileprivate var isAgo: Bool { if case .ago = self { true } else { false } }
}
