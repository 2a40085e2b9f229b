import RefreshCore

/// A line on standard error that tells that something goes on, while it does; only where that is a terminal.
final class Progress: Sendable {
    private struct State {
        var words: String
        var isShown = false
        var isOver = false
    }

    private let output: Output
    private let state: Locked<State>
    private let began = ContinuousClock.now

    /// What takes less is not worth a word.
    private static let patience: Duration = .seconds(1)

    private init(_ words: String, on output: Output) {
        self.output = output
        state = Locked(State(words: words))
    }

    /// Tells nothing before the first `show`; nil where nobody would see it.
    static func begin(on output: Output) -> Progress? {
        output.terminalColumns == nil ? nil : Progress("", on: output)
    }

    /// Performs `work`, and tells of it by `words` and the seconds that it takes.
    static func during<Value>(
        _ words: String, on output: Output, _ work: () async throws(ClientFailure) -> Value
    ) async throws(ClientFailure) -> Value {
        guard output.terminalColumns != nil else { return try await work() }
        let progress = Progress(words, on: output)
        let ticking = Task { await progress.tick() }
        defer {
            ticking.cancel()
            progress.end()
        }
        return try await work()
    }

    /// Tells how far it has got.
    func show(_ words: String) {
        state.withLock { $0.words = words }
        draw()
    }

    /// Takes the line away.
    func end() {
        let wasShown = state.withLock { state in
            state.isOver = true
            return state.isShown
        }
        if wasShown { write("\r\u{1B}[K") }
    }

    private func tick() async {
        while !Task.isCancelled {
            draw()
            // Cut short where what is told of has ended.
            try? await ContinuousClock().sleep(for: Progress.patience)
        }
    }

    private func draw() {
        let passed = began.duration(to: .now)
        guard passed >= Progress.patience, let columns = output.terminalColumns else { return }
        let line = state.withLock { state -> String? in
            if state.isOver { return nil }
            state.isShown = true
            return "\(state.words) … \(Wording.span(passed))"
        }
        guard let line else { return }
        write("\r\(DisplayWidth.fitted(line, columns: max(1, (columns > 0 ? columns : 80) - 1)))\u{1B}[K")
    }

    private func write(_ text: String) {
        // Where nobody reads standard error there is nobody left to tell.
        _ = try? output.write(Array(text.utf8))
    }
}
