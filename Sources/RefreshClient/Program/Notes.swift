import RefreshCore

/// Sentences on standard error, one a line.
package struct Notes: Sendable {
    private let output: Output

    package init(_ output: Output) { self.output = output }

    package func tell(_ sentence: String) {
        // Where nobody reads standard error there is nobody left to tell.
        _ = try? output.write(lines: ["refreshctl: \(SafeText.escaped(sentence))"])
    }
}
