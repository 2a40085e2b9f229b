/// The steps that the evaluations of one answer may take together, and the patterns that they compiled.
///
/// A class, since evaluations of many rows and many documents share it.
final class JSONBudget {
    let patterns = PatternShelf()
    private var limit: Int
    private var left: Int

    init(steps: Int = 10_000_000) {
        limit = steps
        left = steps
    }

    /// Adds what the reading of `document` allows.
    func grow(by document: JSONDocument) {
        limit += 32 * document.tokenCount
        left += 32 * document.tokenCount
    }

    func spend(_ steps: Int) throws(FormatFailure) {
        left -= steps
        if left < 0 { throw .queryTooCostly(limit: limit) }
    }
}
