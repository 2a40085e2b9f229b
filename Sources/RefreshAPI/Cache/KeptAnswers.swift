import RefreshCore
import RefreshStore

/// What an answer was made of, beside time; while it stands, the answer is still true.
enum Dependence: Equatable {
    /// The status of every feed, at one version of the board.
    case board(UInt64)
    case feed(FeedID, FeedStamp)
}

/// Everything but time that an answer about a feed's items depends on.
struct FeedStamp: Equatable {
    private let epoch: Epoch
    private let seq: Seq
    private let lastSuccess: Timestamp?
    private let freshUntil: Timestamp?
    private let failure: FailureNote?
    private let serving: ServingRules

    init(_ feed: FeedStatus, epoch: Epoch, seq: Seq) {
        self.epoch = epoch
        self.seq = seq
        lastSuccess = feed.progress.lastSuccess
        freshUntil = feed.freshUntil
        failure = feed.progress.failure
        serving = feed.serving
    }
}

/// Where board and cache stood at a moment: equal marks mean that nothing has happened in between.
struct WorldMark: Equatable {
    let board: UInt64
    let commits: UInt64
}

/// A target as it was sent. An array would feed the hasher byte by byte.
private struct SentTarget: Hashable {
    let bytes: [UInt8]

    func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

/// Answers that were made once, by the target that was asked for, as many as go into so many bytes.
///
/// They lie in two generations. What is asked for moves to the young one; when that is full, the old one is dropped,
/// and with it what nobody wanted for a while. So every step costs the same however many are held.
struct KeptAnswers<Response> {
    private struct Entry {
        let response: Response
        let dependence: Dependence
        let hold: Hold
        let size: Int
        /// At which `dependence` was last found to stand.
        var mark: WorldMark
    }

    /// What an answer costs beside its bytes, roughly: so many small ones are bounded too.
    static var overhead: Int { 1_024 }

    private let capacity: Int
    private var young: [SentTarget: Entry] = [:]
    private var old: [SentTarget: Entry] = [:]
    private var youngSize = 0
    private var oldSize = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { young.count + old.count }
    /// Bytes held, with what holds them.
    var size: Int { youngSize + oldSize }

    /// The answer to `target` where it is still true.
    ///
    /// - Parameter stands: whether a dependence is as it was; asked only where the world has moved since the last
    ///   time.
    mutating func answer(
        to target: [UInt8], at now: Moment, mark: WorldMark, stands: (Dependence) -> Bool
    ) -> Response? {
        let key = SentTarget(bytes: target)
        guard let place = young.index(forKey: key) else {
            return fromOld(key, at: now, mark: mark, stands: stands)
        }
        let entry = young.values[place]
        guard entry.hold.covers(now) else { return nil }
        if entry.mark == mark { return entry.response }
        guard stands(entry.dependence) else { return nil }
        young.values[place].mark = mark
        return entry.response
    }

    /// Keeps an answer of `bytes` in the place of an older one; one that would drive out most others is not kept.
    mutating func keep(
        _ response: Response, bytes: Int, to target: [UInt8], of dependence: Dependence, for hold: Hold,
        mark: WorldMark
    ) {
        let size = bytes + target.count + KeptAnswers.overhead
        let key = SentTarget(bytes: target)
        guard size <= capacity / 4 else { return drop(key) }
        insert(
            Entry(response: response, dependence: dependence, hold: hold, size: size, mark: mark), key)
    }

    private mutating func fromOld(
        _ target: SentTarget, at now: Moment, mark: WorldMark, stands: (Dependence) -> Bool
    ) -> Response? {
        guard var entry = old.removeValue(forKey: target) else { return nil }
        oldSize -= entry.size
        guard entry.hold.covers(now), entry.mark == mark || stands(entry.dependence) else { return nil }
        entry.mark = mark
        insert(entry, target)
        return entry.response
    }

    private mutating func insert(_ entry: Entry, _ target: SentTarget) {
        drop(target)
        if youngSize + entry.size > capacity / 2 {
            (old, oldSize) = (young, youngSize)
            young = [:]
            youngSize = 0
        }
        young[target] = entry
        youngSize += entry.size
    }

    private mutating func drop(_ target: SentTarget) {
        if let entry = young.removeValue(forKey: target) { youngSize -= entry.size }
        if let entry = old.removeValue(forKey: target) { oldSize -= entry.size }
    }
}
