/// Paths from texts (RFC 9535).
extension JSONPath {
    /// Why a text is no path that this version reads.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String

        package init(offset: Int, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// Reads names, indexes and wildcards in the notation of RFC 9535, section 2; `$.` or `$` at the start may be
    /// left out, so `result.orders` is a path. Slices, unions, filters and descendants are refused by name.
    package init(parsing text: String) throws(JSONPath.Failure) {
        var reader = JSONPathReader(Array(text.utf8))
        self.init(try reader.path())
    }

    /// The path from `$`, in the shortest notation that reads as it.
    package var text: String {
        var text: [UInt8] = [0x24]
        for segment in segments {
            switch segment {
            case .wildcard: text.append(contentsOf: "[*]".utf8)
            case .index(let index): text.append(contentsOf: "[\(index)]".utf8)
            case .name(let name): JSONPath.append(name: name, to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(name: [UInt8], to text: inout [UInt8]) {
        if let first = name.first, JSONPathReader.isNameStart(first),
            name.allSatisfy(JSONPathReader.isNameByte)
        {
            text.append(0x2E)
            text.append(contentsOf: name)
            return
        }
        // Normalized paths quote so (2.7).
        text.append(contentsOf: "['".utf8)
        for byte in name {
            switch byte {
            case 0x27, 0x5C: text.append(contentsOf: [0x5C, byte])
            case 0x08: text.append(contentsOf: #"\b"#.utf8)
            case 0x09: text.append(contentsOf: #"\t"#.utf8)
            case 0x0A: text.append(contentsOf: #"\n"#.utf8)
            case 0x0C: text.append(contentsOf: #"\f"#.utf8)
            case 0x0D: text.append(contentsOf: #"\r"#.utf8)
            case 0..<0x20:
                text.append(contentsOf: byte < 0x10 ? #"\u000"#.utf8 : #"\u001"#.utf8)
                text.append(contentsOf: String(byte & 15, radix: 16).utf8)
            default: text.append(byte)
            }
        }
        text.append(contentsOf: "']".utf8)
    }
}
