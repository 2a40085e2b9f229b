/// Finds the word that somebody meant.
package enum ClosestMatch {
    /// Longer words are nobody's typing mistake.
    private static let longest = 64

    /// The one of `words` that `word` was most likely meant to be; of equals the first; nil where none is near.
    ///
    /// Near are: the same but for case, hyphen and underscore; then few mistakes (a letter missing, added, wrong
    /// or swapped with its neighbour), about one in three letters; then a word that begins with the other.
    package static func suggestion(for word: String, among words: some Sequence<String>) -> String? {
        let written = folded(word)
        guard !written.isEmpty, written.count <= longest else { return nil }
        var best: (word: String, distance: Int)?
        var prefix: String?
        for candidate in words where candidate != word {
            let letters = folded(candidate)
            guard letters.count <= longest else { continue }
            let limit = (max(written.count, letters.count) + 1) / 3
            if abs(written.count - letters.count) <= limit {
                let distance = distance(written, letters)
                if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
            }
            if prefix == nil, min(written.count, letters.count) >= 3,
                letters.starts(with: written) || written.starts(with: letters)
            {
                prefix = candidate
            }
        }
        return best?.word ?? prefix
    }

    private static func folded(_ word: String) -> [UInt8] {
        word.utf8.map { $0 == 0x5F ? 0x2D : ASCII.lowercased($0) }
    }

    /// Optimal string alignment: no letter is edited twice.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var above = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            current.reserveCapacity(right.count + 1)
            for column in right.indices {
                let wrong = above[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(wrong, above[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            before = above
            above = current
        }
        return above[right.count]
    }
}
