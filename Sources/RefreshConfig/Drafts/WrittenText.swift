/// The text of a scalar with enough of its place to point into it.
struct WrittenText: Equatable, Sendable {
    let text: String
    let start: SourcePlace
    /// Columns between the start and the first character; nil where the text was not written verbatim on one line
    /// (escapes, folding, an anchor before it).
    private let shift: Int?

    /// Nil where the node is no scalar.
    init?(_ node: YAMLNode) {
        guard let scalar = node.scalar else { return nil }
        text = scalar.text
        start = node.start
        let quote = scalar.style == .singleQuoted || scalar.style == .doubleQuoted ? 1 : 0
        let isVerbatim =
            node.start.line == node.end.line
            && node.end.column - node.start.column == scalar.text.unicodeScalars.count + 2 * quote
        shift = isVerbatim && (scalar.style == .plain || quote == 1) ? quote : nil
    }

    init(text: String, start: SourcePlace) {
        self.text = text
        self.start = start
        shift = nil
    }

    /// The place of the byte at `offset`; the start where it cannot be told.
    func place(atByte offset: Int) -> SourcePlace {
        guard let shift else { return start }
        let characters = text.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 }
        return SourcePlace(file: start.file, line: start.line, column: start.column + shift + characters)
    }
}
