import RefreshCore

/// Something that a test changes under way: a flag and a number.
final class UpstreamSwitch: Sendable {
    private let state = Locked((isOn: false, number: 0))

    var isOn: Bool { state.withLock(\.isOn) }
    func turnOn() { state.withLock { $0.isOn = true } }

    /// Another number at each look, from 1.
    func next() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }
}
