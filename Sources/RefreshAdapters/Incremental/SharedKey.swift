import RefreshCore

/// The one key by which the next run asks all parents' lists, worked out of what this one met (semantics U6, U9).
///
/// A row that came into a list behind its reading lies above everything that was there then: above the upstream's time
/// of that moment, or else above what that list itself held. So the key goes no further than what the lists that were
/// read first can vouch for; with several at a time these are all that were begun before one of them was over.
struct SharedKey: Sendable {
    private enum Rule { case none, field(CursorScale), serverTime(CursorScale) }

    private let rule: Rule
    /// Lists that count among the first; nil until one is over.
    private var firsts: Int?
    /// Of those of them that are over: the least of what they can vouch for. Nil inside is nothing.
    private var bound: (largest: ScalarValue?, ceiling: Timestamp?)?
    /// The greatest value of all lists.
    private var largest: CursorScale.Value?

    init(_ plan: IncrementalPlan?) {
        switch plan?.kind {
        case .field(let field):
            rule = .field(CursorScale(field.kind, format: field.format, zone: field.zone))
        case .serverTime(let time): rule = .serverTime(CursorScale(time.kind))
        case .token, nil: rule = .none
        }
    }

    /// The run goes on where another one was interrupted, whose lists were read before all others.
    mutating func goOn(_ kept: Increments.Kept) {
        firsts = 0
        bound = (kept.largest, kept.ceiling)
    }

    /// For the checkpoint of a run under way.
    var kept: Increments.Kept {
        var kept = Increments.Kept()
        kept.largest = bound?.largest
        kept.ceiling = bound?.ceiling
        return kept
    }

    /// - Parameters:
    ///   - number: which list is over, in the order in which they were begun.
    ///   - begun: how many were until now.
    mutating func ended(number: Int, begun: Int, _ progress: PassMachine.Progress) {
        let first = firsts ?? begun
        firsts = first
        let met: ScalarValue?
        switch rule {
        case .none: return
        case .field(let scale):
            met = progress.largest
            if let value = met.flatMap({ scale.read(kept: $0) }) {
                if largest.map({ scale.isLess($0, than: value) }) ?? true { largest = value }
            }
            if number < first { lower(met, progress.ceiling, scale) }
        case .serverTime(let scale):
            if number < first { lower(progress.key, progress.ceiling, scale) }
        }
    }

    private mutating func lower(_ value: ScalarValue?, _ ceiling: Timestamp?, _ scale: CursorScale) {
        guard let bound else {
            self.bound = (value, ceiling)
            return
        }
        var least: ScalarValue?
        if let value, let other = bound.largest, let left = scale.read(kept: value),
            let right = scale.read(kept: other)
        {
            least = scale.isLess(left, than: right) ? value : other
        }
        var earliest: Timestamp?
        if let ceiling, let other = bound.ceiling { earliest = min(ceiling, other) }
        self.bound = (least, earliest)
    }

    /// The key of the next run; it never goes back.
    func raised(from key: ScalarValue?) -> ScalarValue? {
        guard let bound, let (scale, value) = vouched(bound) else { return key }
        if let key = key.flatMap({ scale.read(kept: $0) }), !scale.isLess(key, than: value) {
            return scale.kept(key)
        }
        return scale.kept(value)
    }

    private func vouched(
        _ bound: (largest: ScalarValue?, ceiling: Timestamp?)
    ) -> (CursorScale, CursorScale.Value)? {
        switch rule {
        case .none: return nil
        case .serverTime(let scale): return bound.largest.flatMap { scale.read(kept: $0) }.map { (scale, $0) }
        case .field(let scale):
            guard let largest else { return nil }
            var value: CursorScale.Value
            if let ceiling = bound.ceiling.flatMap({ scale.value(of: $0) }) {
                value = scale.isLess(ceiling, than: largest) ? ceiling : largest
            } else if let first = bound.largest.flatMap({ scale.read(kept: $0) }) {
                value = first
            } else {
                return nil
            }
            if case .time(let time, _) = value, case .time(_, let isNaive) = largest {
                value = .time(time, isNaive: isNaive)
            }
            return (scale, value)
        }
    }
}
