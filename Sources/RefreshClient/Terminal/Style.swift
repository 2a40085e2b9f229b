/// Where rows are shown: a terminal of some width, or a file or pipe for programs.
package enum Display: Equatable, Sendable {
    case terminal(columns: Int, colour: Bool)
    /// A row a line, cells parted by tabs, without head, colours and cutting.
    case plain
}

/// What a cell says beyond its text.
package enum Tone: Sendable, Equatable {
    case plain, good, warning, bad, faint, strong

    /// Select Graphic Rendition (ECMA-48, 8.3.117) with the eight colours that every theme defines.
    private var code: String? {
        switch self {
        case .plain: nil
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .faint: "2"
        case .strong: "1"
        }
    }

    /// `text`, which must be escaped already, in this tone.
    func painted(_ text: String, colour: Bool) -> String {
        guard colour, let code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
