import RefreshCore

/// Rows under a head, laid out for a terminal or for a program.
package struct Table: Sendable {
    package struct Column: Sendable {
        package enum Side: Sendable { case left, right }

        let title: String
        let side: Side
        /// Columns that it keeps however narrow the terminal is; nil is never cut.
        let least: Int?

        package init(_ title: String, side: Side = .left, least: Int? = nil) {
            self.title = title
            self.side = side
            self.least = least
        }
    }

    package struct Cell: Sendable, Equatable {
        /// As a person reads it; not escaped.
        let shown: String
        /// As a program reads it; not escaped.
        let exact: String
        let tone: Tone

        package init(_ shown: String, exact: String? = nil, tone: Tone = .plain) {
            self.shown = shown
            self.exact = exact ?? shown
            self.tone = tone
        }
    }

    let columns: [Column]
    package let rows: [[Cell]]

    package init(_ columns: [Column], rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }

    private static let gap = "  "

    /// The table's lines.
    package func lines(on display: Display) -> [String] {
        var layout: Layout?
        return lines(on: display, continuing: &layout)
    }

    /// The lines of one page of a longer table. `layout` is that of the page before, nil for the first, which alone
    /// has a head.
    package func lines(on display: Display, continuing layout: inout Layout?) -> [String] {
        lines(on: display, withHead: layout == nil, &layout)
    }

    /// The lines of one frame of a table that is drawn anew and anew, its head always with it. No column gets narrower
    /// than in `layout`, that of the frame before.
    package func lines(on display: Display, atLeast layout: inout Layout?) -> [String] {
        lines(on: display, withHead: true, &layout)
    }

    private func lines(on display: Display, withHead: Bool, _ layout: inout Layout?) -> [String] {
        guard case .terminal(let width, let colour) = display else {
            return rows.map { $0.map { SafeText.escaped($0.exact) }.joined(separator: "\t") }
        }
        if rows.isEmpty { return [] }
        let head = withHead ? [columns.map { Cell($0.title, tone: .strong) }] : []
        let widened = self.layout(columns: width, atLeast: layout)
        layout = widened
        return (head + rows).map { line($0, widths: widened.widths, colour: colour) }
    }

    private func line(_ cells: [Cell], widths: [Int], colour: Bool) -> String {
        var line = ""
        // Spaces that would follow the last text of a line are left out.
        var spaces = 0
        for (index, cell) in cells.enumerated() where index < widths.count {
            let text = DisplayWidth.fitted(cell.shown, columns: widths[index])
            let room = widths[index] - DisplayWidth.of(text)
            if columns[index].side == .right { spaces += room }
            if !text.isEmpty {
                line += String(repeating: " ", count: spaces) + cell.tone.painted(text, colour: colour)
                spaces = 0
            }
            if columns[index].side == .left { spaces += room }
            spaces += Table.gap.utf8.count
        }
        return line
    }

    // MARK: - Widths

    /// The columns that each column gets.
    package struct Layout: Sendable, Equatable {
        let widths: [Int]
    }

    /// As wide as the widest cell, and where that is too much for the terminal, the widest columns give way first.
    private func layout(columns available: Int, atLeast before: Layout?) -> Layout {
        var widths = before?.widths ?? columns.map { DisplayWidth.of($0.title) }
        for row in rows {
            for (index, cell) in row.enumerated() where index < widths.count {
                // A cell may be a whole document; more of it than the terminal is wide need not be measured.
                let text = DisplayWidth.fitted(cell.shown, columns: available)
                widths[index] = max(widths[index], DisplayWidth.of(text))
            }
        }
        let room = available - (columns.count - 1) * Table.gap.utf8.count
        var excess = widths.reduce(0, +) - room
        while excess > 0, let index = widestThatGives(widths) {
            widths[index] -= 1
            excess -= 1
        }
        return Layout(widths: widths)
    }

    private func widestThatGives(_ widths: [Int]) -> Int? {
        widths.indices
            .filter { index in columns[index].least.map { widths[index] > $0 } ?? false }
            .max { widths[$0] < widths[$1] }
    }
}
