/// JSON text with a member or element a line; strings and numbers stay as they were written.
package enum IndentedJSON {
    /// Lines of `json`, which must be well formed. Works without recursion, so depth costs only indentation.
    package static func lines(_ json: String) -> [String] {
        var writer = Writer()
        var insideString = false
        var escaped = false
        for byte in json.utf8 {
            if insideString {
                writer.append(byte)
                if escaped {
                    escaped = false
                } else if byte == 0x5C {
                    escaped = true
                } else if byte == 0x22 {
                    insideString = false
                }
            } else {
                insideString = byte == 0x22
                writer.take(byte)
            }
        }
        return writer.finished()
    }

    private struct Writer {
        private var lines: [String] = []
        private var line: [UInt8] = []
        private var depth = 0
        /// Whether the container just opened has shown nothing yet: `{}` and `[]` stay on their line.
        private var isEmpty = false

        private static let deepestIndent = 32

        /// A byte outside of strings.
        mutating func take(_ byte: UInt8) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                append(byte)
                depth += 1
                isEmpty = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if !isEmpty { breakLine() }
                isEmpty = false
                line.append(byte)
            case UInt8(ascii: ","):
                line.append(byte)
                breakLine()
            case UInt8(ascii: ":"): line.append(contentsOf: ": ".utf8)
            default: append(byte)
            }
        }

        mutating func append(_ byte: UInt8) {
            if isEmpty { breakLine() }
            isEmpty = false
            line.append(byte)
        }

        private mutating func breakLine() {
            lines.append(String(decoding: line, as: UTF8.self))
            line = Array(repeating: 0x20, count: 2 * max(0, min(depth, Writer.deepestIndent)))
        }

        func finished() -> [String] { lines + [String(decoding: line, as: UTF8.self)] }
    }
}
