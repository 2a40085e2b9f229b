/// A place in a file as editors count: lines and characters from 1.
package struct SourcePlace: Hashable, Comparable, Sendable {
    /// Which of the files that make up a configuration; 0 is the first.
    package let file: Int
    package let line: Int
    package let column: Int

    package init(file: Int = 0, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }

    /// The place of the byte at `offset`, which need not be part of valid UTF-8.
    static func ofByte(_ offset: Int, in bytes: [UInt8], file: Int = 0) -> SourcePlace {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return SourcePlace(file: file, line: line, column: column)
    }
}
