import RefreshCore

/// Sentences on standard error, one a line.
package struct Notes: Sendable {
    private let output: Output

    package init(_ output: Output) { self.output = output }

    package func tell(_ sentence: String) {
        // Where nobody reads standard error there is nobody left to tell.
        _ = try? output.write(lines: ["refreshctl: \(SafeText.escaped(sentence))"])
    }

    /// Lines for other programs, such as editors; without our name before them.
    package func show(lines: [String]) {
        _ = try? output.write(lines: lines.map { SafeText.escaped($0) })
    }
}
