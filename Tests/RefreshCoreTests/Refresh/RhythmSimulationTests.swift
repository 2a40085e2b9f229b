import RefreshCore
import Testing

/// The table of the policy, made by the code that sets due times.
@Suite("Adaptive intervals over 400 simulated days") struct RhythmSimulationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let adaptive: Bool
        let longest: Int
        let adaptivity: Adaptivity
        /// Requests a day and mean hours until an entry is seen, for feeds with a new one every half hour, six hours,
        /// day, week, month.
        let expected: [(requests: Double, hours: Double)]

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "fixed 1 h", adaptive: false, longest: 6, adaptivity: .standard,
            expected: [(22.9, 0.5), (22.9, 0.5), (22.9, 0.5), (22.9, 0.5), (22.9, 0.5)]),
        Row(
            name: "g/4, idle/20, 1..6 h", adaptive: true, longest: 6, adaptivity: .standard,
            expected: [(22.9, 0.5), (14.3, 0.9), (4.5, 2.8), (4.0, 3.2), (4.0, 3.3)]),
        Row(
            name: "g/2, idle/10, 1..24 h", adaptive: true, longest: 24, adaptivity: .thrifty,
            expected: [(22.9, 0.5), (5.8, 2.3), (1.5, 9.0), (1.1, 12.2), (1.1, 13.0)]),
    ]

    static let gaps: [Double] = [1_800, 21_600, 86_400, 604_800, 2_592_000]

    @Test("come within a tenth of the policy's table", arguments: rows)
    func reproducesTable(_ row: Row) {
        var schedule = Schedule(every: .seconds(3_600))
        schedule.adaptive = row.adaptive
        schedule.maxInterval = .seconds(row.longest * 3_600)
        schedule.adaptivity = row.adaptivity
        let policy = Shared(FetchPolicy(schedule: schedule))
        for (gap, expected) in zip(Self.gaps, row.expected) {
            var (requests, hours, seeds) = (0.0, 0.0, 0.0)
            for seed in 1...20 as ClosedRange<UInt64> {
                let run = Self.run(policy, gap: gap, random: Randomness(seed: seed))
                requests += run.requestsADay
                if let delay = run.hours {
                    hours += delay
                    seeds += 1
                }
            }
            requests /= 20
            hours /= seeds
            print("\(row.name), new every \(Int(gap)) s: \(requests) requests a day, \(hours) h")
            #expect(abs(requests - expected.requests) <= max(expected.requests * 0.1, 0.05))
            // The table gives one digit behind the point.
            #expect(abs(hours - expected.hours) <= max(expected.hours * 0.1, 0.05))
        }
    }

    private static func run(_ policy: Shared<FetchPolicy>, gap: Double, random: Randomness) -> (
        requestsADay: Double, hours: Double?
    ) {
        var random = random
        let days = 400.0
        let end = Samples.start.wall + .seconds(days * 86_400)
        var now = Samples.start
        var progress = FeedProgress()
        var next = now.wall + .seconds(random.exponential(gap))
        var (requests, entries, delay) = (0, 0, 0.0)
        while now.wall < end {
            let order = FetchOrder(
                cause: .schedule, start: now, forced: false, progress: progress, policy: policy,
                chance: random.unit())
            requests += 1
            var isNew = false
            while next <= now.wall {
                isNew = true
                entries += 1
                delay += Double((now.wall - next).inMilliseconds) / 3_600_000
                next = next + .seconds(random.exponential(gap))
            }
            var stored = order.succeeded(PassReport(), at: now)
            if isNew { stored.lastChange = now.wall }
            progress = order.learnt(stored)
            guard let due = progress.due else { break }
            now = now + (due - now.wall)
        }
        return (Double(requests) / days, entries == 0 ? nil : delay / Double(entries))
    }
}
