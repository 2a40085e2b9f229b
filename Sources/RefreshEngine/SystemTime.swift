import CLinux
import RefreshCore

/// The machine's own clocks.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Moment {
        let wall = SystemTime.read(CLOCK_REALTIME)
        let boot = SystemTime.read(CLOCK_BOOTTIME)
        return Moment(
            wall: Timestamp(microseconds: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1_000),
            boot: BootTime(.seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec)))
    }

    package func sleep(until deadline: BootTime) async throws {
        // Swift's continuous clock is CLOCK_BOOTTIME on Linux, so suspended time counts.
        let left = deadline - now().boot
        if left > .zero { try await ContinuousClock().sleep(for: left) }
    }

    package func slept() -> Duration {
        // Read in this order a stop between the two looks like sleep, never like less of it than before.
        let running = SystemTime.read(CLOCK_MONOTONIC)
        let boot = SystemTime.read(CLOCK_BOOTTIME)
        return .seconds(boot.tv_sec - running.tv_sec) + .nanoseconds(boot.tv_nsec - running.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // It fails for unknown clocks only, and these three are older than every supported kernel.
        let code = unsafe clock_gettime(clock, &time)
        precondition(code == 0, "the system has no clock \(clock)")
        return time
    }
}
