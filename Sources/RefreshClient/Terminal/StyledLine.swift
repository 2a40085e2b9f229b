import RefreshCore

/// A sentence of parts in several tones; not escaped before it is shown.
package struct StyledLine: Sendable, Equatable {
    private var parts: [Part] = []

    private struct Part: Sendable, Equatable {
        let text: String
        let tone: Tone
    }

    package init(_ text: String = "", _ tone: Tone = .plain) { add(text, tone) }

    package mutating func add(_ text: String, _ tone: Tone = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, tone: tone)) }
    }

    package func line(on display: Display) -> String {
        let colour: Bool
        if case .terminal(_, true) = display { colour = true } else { colour = false }
        return parts.map { $0.tone.painted(SafeText.escaped($0.text), colour: colour) }.joined()
    }
}
