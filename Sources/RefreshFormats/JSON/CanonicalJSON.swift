import RefreshCore

/// The one text that all spellings of a JSON value have in common (semantics C1).
///
/// Members stand in the order of their names' bytes, of a repeated name the last; there is no white space; strings are
/// escaped as little as may be; numbers of one value have one spelling, so `1`, `1.0` and `10e-1` are equal and minus
/// zero is zero, whatever their size. Elements of arrays keep their order, save where it is said to mean nothing.
package enum CanonicalJSON {
    /// Deeper values than this are taken as they are written.
    static let deepest = 1_024

    /// The hash of the canonical text of a JSON value; of what is no JSON, or deeper than is read, that of the bytes.
    ///
    /// - Parameters:
    ///   - ignoring: what these paths select counts as absent.
    ///   - unordered: arrays of which the order of the elements means nothing; how often each stands there does.
    package static func hash(
        of text: ArraySlice<UInt8>, ignoring: [JSONPath] = [], unordered: [JSONPath] = []
    ) -> ContentHash {
        ContentHash.of(self.text(of: text, ignoring: ignoring, unordered: unordered) ?? Array(text))
    }

    /// The canonical text; nil where `text` is no JSON, is too deep, or the paths take too many steps in it.
    package static func text(
        of text: ArraySlice<UInt8>, ignoring: [JSONPath] = [], unordered: [JSONPath] = []
    ) -> [UInt8]? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(Array(text)), depth: deepest) else {
            return nil
        }
        let evaluation = JSONEvaluation(document)
        guard let ignored = try? places(of: ignoring, evaluation),
            let unordered = try? places(of: unordered, evaluation)
        else { return nil }
        let writer = CanonicalWriter(document: document, ignored: ignored, unordered: unordered)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        writer.append(0, to: &result)
        return result
    }

    private static func places(
        of paths: [JSONPath], _ evaluation: JSONEvaluation
    ) throws(FormatFailure) -> Set<Int> {
        var places: Set<Int> = []
        for path in paths {
            places.formUnion(try evaluation.document.places(at: path, from: 0, evaluation))
        }
        return places
    }
}

/// Goes as deep as the document, whose depth was bounded when it was read.
private struct CanonicalWriter {
    let document: JSONDocument
    let ignored: Set<Int>
    let unordered: Set<Int>

    func append(_ place: Int, to text: inout [UInt8]) {
        switch document.startByte(of: place) {
        case JSONByte.openObject: appendObject(place, to: &text)
        case JSONByte.openArray: appendArray(place, to: &text)
        case JSONByte.quote: append(string: place, to: &text)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            text.append(contentsOf: document.text(of: document.node(at: place)))
        default: append(number: document.text(of: document.node(at: place)), to: &text)
        }
    }

    private func children(of place: Int) -> [Int] {
        let children = Array(JSONChildPlaces(document, of: place))
        return ignored.isEmpty ? children : children.filter { !ignored.contains($0) }
    }

    private func appendObject(_ place: Int, to text: inout [UInt8]) {
        let members = children(of: place).map { (name: document.comparable($0 - 2), value: $0) }.sorted {
            // Of one name the last stands last.
            if $0.name.elementsEqual($1.name) { return $0.value < $1.value }
            return $0.name.lexicographicallyPrecedes($1.name)
        }
        text.append(JSONByte.openObject)
        var isFirst = true
        for (index, member) in members.enumerated() {
            if index + 1 < members.count, members[index + 1].name.elementsEqual(member.name) { continue }
            if !isFirst { text.append(JSONByte.comma) }
            isFirst = false
            append(string: member.value - 2, to: &text)
            text.append(JSONByte.colon)
            append(member.value, to: &text)
        }
        text.append(JSONByte.closeObject)
    }

    private func appendArray(_ place: Int, to text: inout [UInt8]) {
        text.append(JSONByte.openArray)
        if unordered.contains(place) {
            let elements = children(of: place).map { child in
                var element: [UInt8] = []
                append(child, to: &element)
                return element
            }
            let sorted = elements.sorted { $0.lexicographicallyPrecedes($1) }
            text.append(contentsOf: sorted.joined(separator: [JSONByte.comma]))
        } else {
            for (index, child) in children(of: place).enumerated() {
                if index > 0 { text.append(JSONByte.comma) }
                append(child, to: &text)
            }
        }
        text.append(JSONByte.closeArray)
    }

    private func append(string place: Int, to text: inout [UInt8]) {
        let inside = document.bytes.storage[document.inside(place)]
        guard inside.contains(JSONByte.backslash) else {
            text.append(contentsOf: document.bytes.storage[document.node(at: place).range])
            return
        }
        var json = JSONText()
        json.string(document.comparable(place))
        append(escapingHalves: json.bytes, to: &text)
    }

    /// Half a surrogate pair can only be written as an escape.
    private func append(escapingHalves bytes: [UInt8], to text: inout [UInt8]) {
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: 0xED) {
            text.append(contentsOf: rest[..<mark])
            rest = rest[mark...]
            let second = rest[mark + 1]
            if second >= 0xA0 {
                let code = 0xD000 | UInt32(second & 0x3F) << 6 | UInt32(rest[mark + 2] & 0x3F)
                text.append(contentsOf: "\\u\(String(code, radix: 16))".utf8)
            } else {
                text.append(contentsOf: rest.prefix(3))
            }
            rest = rest.dropFirst(3)
        }
        text.append(contentsOf: rest)
    }

    private func append(number: ArraySlice<UInt8>, to text: inout [UInt8]) {
        text.append(contentsOf: CanonicalJSON.canonical(scalar: number))
    }
}

extension CanonicalJSON {
    /// The one spelling of a number; a literal as it is.
    static func canonical(scalar number: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let sign = UInt8(ascii: "-")
        let isPlain = number.count <= 18 && number.allSatisfy { JSONByte.isDigit($0) || $0 == sign }
        if isPlain, !number.elementsEqual([sign, 0x30]) { return number }
        return DecimalNumber(number).map { Array($0.text.utf8)[...] } ?? number
    }
}
