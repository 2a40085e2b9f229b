import RefreshCore
import RefreshTransfer

/// Asks the service manager for more time while a database is checked from end to end or brought to a new form.
final class LongStart: Sendable {
    private let notifier: ServiceNotifier
    private let isOver = Locked(false)

    /// How much time is asked for, long before the last lot is used up.
    private static let lot: Duration = .seconds(60)
    private static let step: Duration = .seconds(1)

    init(_ notifier: ServiceNotifier) {
        self.notifier = notifier
        guard notifier.isHeard else { return }
        // It ends by itself within a step after `end`, and holds nothing but this object.
        _ = Background { [self] in await ask() }
    }

    /// After this nothing more is asked for.
    func end() { isOver.withLock { $0 = true } }

    private func ask() async {
        var seconds = 0
        while seconds == 0 || !isOver.withLock({ $0 }) {
            let status = "opening the databases\(seconds == 0 ? "" : ", \(seconds)s so far")"
            isOver.withLock { if !$0 { notifier.starting(status, within: LongStart.lot) } }
            do {
                try await Task.sleep(for: LongStart.step)
            } catch {
                return
            }
            seconds += 1
        }
    }
}
