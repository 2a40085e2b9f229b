import CLinux
import RefreshCore

/// The time of a trial: the machine's, or that of a recording, which stands still.
struct TrialClock: TimeSource {
    private let fixed: Timestamp?
    /// The time that the pass goes by.
    let started: Timestamp

    init() {
        fixed = nil
        started = TrialClock.wall()
    }

    init(fixed time: Timestamp) {
        fixed = time
        started = time
    }

    func now() -> Moment {
        let boot = TrialClock.read(CLOCK_BOOTTIME)
        return Moment(
            wall: fixed ?? TrialClock.wall(),
            boot: BootTime(.seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec)))
    }

    func sleep(until deadline: BootTime) async throws {
        let left = deadline - now().boot
        if fixed == nil, left > .zero { try await ContinuousClock().sleep(for: left) }
    }

    /// Longer pauses than this are nothing to sit before a terminal for.
    private static let longestPause: Duration = .seconds(60)

    /// Waits as a pass asks to; false where that is too long.
    func pause(_ duration: Duration) async -> Bool {
        if fixed != nil { return true }
        guard duration <= TrialClock.longestPause else { return false }
        return (try? await sleep(until: now().boot + duration)) != nil
    }

    private static func wall() -> Timestamp {
        let time = read(CLOCK_REALTIME)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // It fails for unknown clocks only, and every kernel has these two.
        _ = unsafe clock_gettime(clock, &time)
        return time
    }
}
