import Synchronization

/// What the daemon counts while it runs, for whoever draws curves of it. Every part counts its own; nobody waits for
/// anybody longer than an addition takes.
package final class Counters: Sendable {
    /// How a refresh ended that asked an upstream.
    package enum Result: Int, Sendable, CaseIterable {
        case refreshed, unchanged, failed

        package var name: String {
            switch self {
            case .refreshed: "refreshed"
            case .unchanged: "unchanged"
            case .failed: "failed"
            }
        }
    }

    /// What an exchange over HTTP came to, by the first digit of its status.
    package enum Class: Int, Sendable, CaseIterable {
        /// No answer came.
        case none
        case informational, success, redirection, clientError, serverError

        /// - Parameter status: nil where no answer came.
        package init(status: Int?) {
            self = status.flatMap { Class(rawValue: $0 / 100) } ?? .none
        }

        package var name: String {
            switch self {
            case .none: "none"
            case .informational: "1xx"
            case .success: "2xx"
            case .redirection: "3xx"
            case .clientError: "4xx"
            case .serverError: "5xx"
            }
        }
    }

    /// How often a thing was done and how long it took in all.
    package struct Timing: Sendable, Equatable {
        package var count: UInt64 = 0
        package var sum: Duration = .zero
    }

    /// One count for each class.
    package struct ByClass: Sendable, Equatable {
        private var counts = [UInt64](repeating: 0, count: Class.allCases.count)

        package subscript(kind: Class) -> UInt64 {
            get { counts[kind.rawValue] }
            set { counts[kind.rawValue] = newValue }
        }
    }

    /// One count for each way to end.
    package struct ByResult: Sendable, Equatable {
        private var refreshed: UInt64 = 0
        private var unchanged: UInt64 = 0
        private var failed: UInt64 = 0

        package subscript(result: Result) -> UInt64 {
            switch result {
            case .refreshed: refreshed
            case .unchanged: unchanged
            case .failed: failed
            }
        }

        fileprivate mutating func add(_ result: Result) {
            switch result {
            case .refreshed: refreshed += 1
            case .unchanged: unchanged += 1
            case .failed: failed += 1
            }
        }
    }

    /// Everything at one moment.
    package struct Picture: Sendable {
        package let refreshes: [FeedID: ByResult]
        package let upstreamRequests: ByClass
        /// Bytes of bodies, as they came over the wire.
        package let upstreamBytes: UInt64
        package let apiRequests: ByClass
        package let apiClients: Int
        /// Operations that wait in the outbox, by their state.
        package let outbox: [String: Int]
        package let commits: Timing
        package let isConfigurationGood: Bool
        /// Counts the configurations that were taken over, the first being 1.
        package let generation: Int
    }

    private struct State {
        var refreshes: [FeedID: ByResult] = [:]
        var upstreamRequests = ByClass()
        var upstreamBytes: UInt64 = 0
        var outbox: [String: Int] = [:]
        var commits = Timing()
        var isConfigurationGood = true
        var generation = 1
    }

    private let state = Locked(State())
    /// Of the API's own thread, which answers many thousand requests a second.
    private let api = Locked(ByClass())
    private let clients = Atomic(0)

    package init() {}

    package var picture: Picture {
        let apiRequests = api.withLock { $0 }
        let apiClients = clients.load(ordering: .relaxed)
        return state.withLock { state in
            Picture(
                refreshes: state.refreshes, upstreamRequests: state.upstreamRequests,
                upstreamBytes: state.upstreamBytes, apiRequests: apiRequests, apiClients: apiClients,
                outbox: state.outbox, commits: state.commits, isConfigurationGood: state.isConfigurationGood,
                generation: state.generation)
        }
    }

    // MARK: - The engine's

    /// A refresh has ended; one that asked nobody is not counted.
    package func refreshed(_ feed: FeedID, _ outcome: RefreshOutcome) {
        guard let result = Result(outcome) else { return }
        state.withLock { $0.refreshes[feed, default: ByResult()].add(result) }
    }

    /// The feed is no more, and nothing is counted of it.
    package func forget(_ feed: FeedID) { state.withLock { $0.refreshes[feed] = nil } }

    /// One request to an upstream has ended.
    ///
    /// - Parameters:
    ///   - status: nil where no answer came.
    ///   - bytes: of the body, as they came over the wire.
    package func upstream(status: Int?, bytes: Int) {
        state.withLock { state in
            state.upstreamRequests[Class(status: status)] += 1
            state.upstreamBytes += UInt64(max(0, bytes))
        }
    }

    /// How many operations wait, by the states that the API shows of them.
    package func outbox(_ counts: [String: Int]) { state.withLock { $0.outbox = counts } }

    /// Whether the configuration could be read when it was read last.
    ///
    /// - Parameter generation: of the configuration that holds.
    package func configuration(isGood: Bool, generation: Int) {
        state.withLock { state in
            state.isConfigurationGood = isGood
            state.generation = generation
        }
    }

    /// The same, for who wants to know no more.
    package var configuration: (isGood: Bool, generation: Int) {
        state.withLock { ($0.isConfigurationGood, $0.generation) }
    }

    // MARK: - The store's

    /// A transaction was written.
    package func committed(in duration: Duration) {
        state.withLock { state in
            state.commits.count += 1
            state.commits.sum += duration
        }
    }

    // MARK: - The API's

    package func answered(status: UInt32) { api.withLock { $0[Class(status: Int(status))] += 1 } }

    package func clientCame() { clients.add(1, ordering: .relaxed) }
    package func clientLeft() { clients.subtract(1, ordering: .relaxed) }
}

extension Counters.Result {
    /// Nil where no upstream was asked.
    package init?(_ outcome: RefreshOutcome) {
        switch outcome {
        case .refreshed: self = .refreshed
        case .unchanged: self = .unchanged
        case .failed: self = .failed
        default: return nil
        }
    }
}
