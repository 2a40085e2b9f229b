import RefreshCore
import Testing

@Suite("The closest match") struct ClosestMatchTests {
    private static let words = [
        "max_pages", "max_records", "min_gap", "every", "url", "key", "records", "allow_private",
        "description",
        "adapter",
    ]

    @Test(
        "is the word that was meant",
        arguments: [
            ("max_page", "max_pages"), ("evry", "every"), ("eveyr", "every"), ("URL", "url"), ("uri", "url"),
            ("allow-private", "allow_private"), ("allowPrivate", "allow_private"), ("desc", "description"),
            ("adaptor", "adapter"), ("record", "records"), ("mingap", "min_gap"), ("recrods", "records"),
        ])
    func isTheWordMeant(word: String, expected: String) {
        #expect(ClosestMatch.suggestion(for: word, among: ClosestMatchTests.words) == expected)
    }

    @Test("is nothing where no word is near", arguments: ["", "x", "colour", "interval", "ur1x", "de"])
    func isNothing(word: String) {
        #expect(ClosestMatch.suggestion(for: word, among: ClosestMatchTests.words) == nil)
    }

    @Test("is the first of equals, and never the word itself")
    func first() {
        #expect(ClosestMatch.suggestion(for: "cat", among: ["car", "bat"]) == "car")
        #expect(ClosestMatch.suggestion(for: "cat", among: ["cat", "bat"]) == "bat")
        #expect(ClosestMatch.suggestion(for: "cats", among: ["carts", "cat"]) == "carts")
    }

    @Test("swaps neighbours for the price of one")
    func swaps() {
        #expect(ClosestMatch.suggestion(for: "ab", among: ["ba"]) == "ba")
        #expect(ClosestMatch.suggestion(for: "ab", among: ["cd"]) == nil)
    }

    @Test("is not sought for words of any length")
    func longest() {
        let long = String(repeating: "a", count: 65)
        #expect(ClosestMatch.suggestion(for: long, among: [long + "b"]) == nil)
    }
}
