import CLinux
import Glibc

/// Named places at which a test build can be killed, as a power switch would: `REFRESHD_FAIL_AT=committing` ends the
/// process at that place, `committing:3` when it comes by for the third time. A release build has none.
enum Failpoint: String, CaseIterable {
    case migrating, migrated
    /// A transaction is open and nothing is written yet; a pass is written; all are, and COMMIT comes next.
    case begun, applied, committing
    /// COMMIT has returned and nobody knows of it.
    case committed
    case checkpointing
    case savingHighWater, renamingHighWater
    case settingAside
    case salvaging, salvaged
    case backingUp, renamingBackup, namingBackup
    case restoring
    case durableCommitting, durableCommitted
    case stopping

    #if DEBUG
        private struct Order: Sendable {
            let place: Failpoint
            let times: Int
        }

        private static let order: Order? = {
            guard let value = unsafe getenv("REFRESHD_FAIL_AT") else { return nil }
            let parts = unsafe String(cString: value).split(separator: ":")
            guard let place = parts.first.flatMap({ Failpoint(rawValue: String($0)) }) else { return nil }
            return Order(place: place, times: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
        }()
        private static let passed = Counter()

        static func pass(_ place: Failpoint) {
            guard let order, order.place == place, passed.next() == order.times else { return }
            _ = kill(getpid(), SIGKILL)
            // The signal may take a moment to arrive, and nothing must happen in it.
            while true { _ = pause() }
        }
    #else
        @inline(__always) static func pass(_ place: Failpoint) {}
    #endif
}

#if DEBUG
    import Synchronization

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }
#endif
