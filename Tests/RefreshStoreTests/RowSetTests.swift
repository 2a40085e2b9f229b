import RefreshCore
import Testing

@testable import RefreshStore

@Suite("Sets of rows") struct RowSetTests {
    @Test("know what was put in, in any order") func seen() {
        var random = Randomness(seed: 5)
        var seen = SeenRows()
        let isThere = seen.contains(1)
        #expect(!isThere)
        let rows = (0..<500).map { Int64($0 * 3) }.shuffled(using: &random)
        for page in [rows[..<200], rows[200...]] {
            for row in page + page.prefix(3) { seen.insert(row) }
            seen.endPage()
        }
        let count = seen.count
        #expect(count == 500)
        for number in Int64(-1)..<1_500 {
            let isThere = seen.contains(number)
            #expect(isThere == (number >= 0 && number % 3 == 0))
        }
        seen.insert(-7)
        seen.endPage()
        let isLateOneThere = seen.contains(-7)
        #expect(isLateOneThere)
    }

    @Test(
        "find the rows whose key comes again",
        arguments: [
            ("", []), ("a", []), ("a b c", []), ("a a", [0]), ("a b a c b a", [0, 1, 2]),
        ] as [(String, Set<Int>)])
    func repeated(_ item: (keys: String, superseded: Set<Int>)) {
        let records = item.keys.split(separator: " ").map { Sample(String($0)) }
        #expect(RepeatedRows(Sample.page(records).rows).superseded == item.superseded)
    }

    @Test("keep apart a thousand keys") func manyKeys() {
        let rows = Sample.page((0..<1_000).map { Sample("k\($0)") } + [Sample("k500")]).rows
        #expect(RepeatedRows(rows).superseded == [500])
    }
}
