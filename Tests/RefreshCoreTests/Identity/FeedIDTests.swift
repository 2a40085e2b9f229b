import RefreshCore
import Testing

@Suite("Feed names") struct FeedIDTests {
    @Test(
        "are legal", arguments: ["a", "0", "prices", "a.b_c-d", "9-lives", String(repeating: "x", count: 64)])
    func legal(name: String) {
        #expect(FeedID(name)?.name == name)
    }

    @Test(
        "are not legal",
        arguments: [
            "", "A", "-a", ".a", "_a", "a b", "a/b", "ä", "a\u{0}", "a\n", "a:b", "..",
            String(repeating: "x", count: 65),
        ])
    func illegal(name: String) {
        #expect(FeedID(name) == nil)
        #expect(!FeedID.isLegal(name))
    }

    @Test("sort as bytes do")
    func sort() {
        let names = ["b", "a.b", "a-b", "a_b", "a0", "ab", "a"].compactMap { FeedID($0) }.sorted()
        #expect(names.map(\.name) == ["a", "a-b", "a.b", "a0", "a_b", "ab", "b"])
    }
}
