/// Finds tabs where a line is indented. YAML allows some of them, and every one misleads the reader.
enum TabIndentation {
    static let message = "a tab indents this line; use spaces"

    /// The first tab of each line that one indents, without the lines inside of block and quoted scalars.
    static func places(
        in bytes: [UInt8], outside scalars: [ClosedRange<Int>], file: Int = 0
    ) -> [SourcePlace] {
        var places: [SourcePlace] = []
        var line = 1
        var rest = bytes[...]
        var inside = scalars[...]
        while !rest.isEmpty {
            let text = rest.prefix { $0 != 0x0A }
            while let first = inside.first, first.upperBound < line { inside = inside.dropFirst() }
            let isText = inside.first?.contains(line) ?? false
            if !isText, let column = tab(in: text) {
                places.append(SourcePlace(file: file, line: line, column: column))
            }
            rest = rest.dropFirst(text.count + 1)
            line += 1
        }
        return places
    }

    private static func tab(in line: ArraySlice<UInt8>) -> Int? {
        let blank = line.prefix { $0 == 0x20 || $0 == 0x09 }
        // An empty line and a comment indent nothing.
        guard blank.count < line.count, line[blank.endIndex] != 0x23, line[blank.endIndex] != 0x0D else {
            return nil
        }
        return blank.firstIndex(of: 0x09).map { $0 - line.startIndex + 1 }
    }
}
