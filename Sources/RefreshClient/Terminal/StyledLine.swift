import RefreshCore

/// A sentence of parts in several tones; not escaped before it is shown.
package struct StyledLine: Sendable, Equatable {
    private var parts: [Part] = []

    private struct Part: Sendable, Equatable {
        let text: String
        let tone: Tone

        var width: Int { DisplayWidth.of(SafeText.escaped(text)) }
    }

    package init(_ text: String = "", _ tone: Tone = .plain) { add(text, tone) }

    package mutating func add(_ text: String, _ tone: Tone = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, tone: tone)) }
    }

    /// Adds a text of which each word is a part of its own.
    package mutating func add(words text: String, _ tone: Tone = .plain) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        for (place, word) in words.enumerated() {
            add(place + 1 < words.count ? "\(word) " : String(word), tone)
        }
    }

    /// Columns on a terminal.
    package var columns: Int { parts.reduce(0) { $0 + $1.width } }

    /// As much of the line as `columns` hold; what was cut ends in `…`.
    package func fitted(_ columns: Int) -> StyledLine {
        guard self.columns > columns else { return self }
        var line = StyledLine()
        var left = columns
        for part in parts {
            // A part that fills the last column leaves none for the mark.
            if part.width < left {
                line.add(part.text, part.tone)
                left -= part.width
            } else {
                line.add(DisplayWidth.fitted(part.text + "…", columns: left), part.tone)
                break
            }
        }
        return line
    }

    /// The same in lines of at most `columns`, as far as its parts allow: a part is never broken. All but the first
    /// are indented.
    package func wrapped(_ columns: Int, indent: Int = 2) -> [StyledLine] {
        var lines: [StyledLine] = []
        var line = StyledLine()
        for part in parts {
            // A separator stays with what it follows.
            let isSeparator = part.text.hasPrefix(",") || part.text.hasPrefix(")")
            if line.columns > 0, !isSeparator, line.columns + part.width > columns {
                lines.append(line.withoutLastSpace)
                line = StyledLine(String(repeating: " ", count: indent))
            }
            line.add(part.text, part.tone)
        }
        return lines + [line]
    }

    private var withoutLastSpace: StyledLine {
        guard let last = parts.last, last.text.hasSuffix(" ") else { return self }
        var line = self
        line.parts[line.parts.count - 1] = Part(text: String(last.text.dropLast()), tone: last.tone)
        return line
    }

    package func line(on display: Display) -> String {
        let colour: Bool
        if case .terminal(_, true) = display { colour = true } else { colour = false }
        return parts.map { $0.tone.painted(SafeText.escaped($0.text), colour: colour) }.joined()
    }
}
