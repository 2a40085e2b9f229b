import RefreshCore

/// Copies values without some of their parts.
enum JSONCutting {
    /// Appends the text of the value at `place` without what `paths` select in it. Around what is cut out white space
    /// goes too; all else stays to the byte. The value itself is never cut out.
    static func append(
        _ place: Int, without paths: [JSONPath], _ evaluation: JSONEvaluation, to text: inout [UInt8]
    ) throws(FormatFailure) {
        let document = evaluation.document
        var cut: Set<Int> = []
        for path in paths { cut.formUnion(try document.places(at: path, from: place, evaluation)) }
        cut.remove(place)
        guard !cut.isEmpty else {
            text.append(contentsOf: document.text(of: document.node(at: place)))
            return
        }
        append(place, of: document, without: cut, sorted: cut.sorted(), to: &text)
    }

    /// Goes as deep as the document, whose depth was bounded when it was read.
    private static func append(
        _ place: Int, of document: JSONDocument, without cut: Set<Int>, sorted: [Int], to text: inout [UInt8]
    ) {
        guard holds(place..<document.placeBehind(place), sorted) else {
            text.append(contentsOf: document.text(of: document.node(at: place)))
            return
        }
        let isObject = document.startByte(of: place) == JSONByte.openObject
        text.append(isObject ? JSONByte.openObject : JSONByte.openArray)
        var isFirst = true
        for child in JSONChildPlaces(document, of: place) where !cut.contains(child) {
            if !isFirst { text.append(JSONByte.comma) }
            isFirst = false
            if isObject {
                text.append(contentsOf: document.text(of: document.node(at: child - 2)))
                text.append(JSONByte.colon)
            }
            append(child, of: document, without: cut, sorted: sorted, to: &text)
        }
        text.append(isObject ? JSONByte.closeObject : JSONByte.closeArray)
    }

    /// Whether one of the sorted places lies in `range`, its start excluded.
    private static func holds(_ range: Range<Int>, _ sorted: [Int]) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] < range.upperBound
    }
}
