import Testing

@testable import DemoUpstream

@Suite("A query") struct QueryTests {
    @Test(
        "is read as forms write it",
        arguments: [
            ("", []), ("a=b", [["a", "b"]]), ("a=b&c=d&a=e", [["a", "b"], ["c", "d"], ["a", "e"]]),
            ("a", [["a", ""]]), ("a=", [["a", ""]]), ("=a", [["", "a"]]), ("&&a=b&", [["a", "b"]]),
            ("a=b=c", [["a", "b=c"]]), ("p%61th=%2Fnews.atom", [["path", "/news.atom"]]),
            ("a=b+c", [["a", "b c"]]), ("a=%2B", [["a", "+"]]), ("a=%zz%4", [["a", "%zz%4"]]),
            ("a=%41", [["a", "A"]]), ("a=%", [["a", "%"]]),
        ])
    func reads(text: String, words: [[String]]) {
        #expect(Query(text.utf8).words.map { [$0.name, $0.value] } == words)
    }

    @Test("gives the first value of a name, and none where it is empty")
    func finds() {
        let query = Query("a=1&a=2&b=".utf8)
        #expect(query.first("a") == "1")
        #expect(query.first("b") == nil)
        #expect(query.first("c") == nil)
    }
}
