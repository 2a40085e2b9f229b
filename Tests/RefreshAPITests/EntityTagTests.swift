import Testing

@testable import RefreshAPI

@Suite("Entity tags") struct EntityTagTests {
    @Test(
        "a list names a tag where one of its members does, weakly compared",
        arguments: [
            ("W/\"abc-1\"", true), ("\"abc-1\"", true), ("\"x\", W/\"abc-1\"", true), ("*", true),
            ("\"abc\"", false), ("abc-1", false), ("w/\"abc-1\"", false), ("", false),
        ])
    func named(_ list: String, _ isNamed: Bool) {
        #expect(EntityTag("abc-1").isNamed(in: Array(list.utf8)) == isNamed)
    }

    @Test(
        "an upstream's tag is found as it was sent, whatever stands in its quotes",
        arguments: [
            ("\"a,b\"", "\"x\", \"a,b\"", true), ("\"a,b\"", "W/\"a,b\"", true), ("W/\"a\"", "\"a\"", true),
            ("\"a,b\"", "\"a\",\"b\"", false), ("\"a\"", "\"b", false), ("\"\"", "\"\"", true),
        ])
    func received(_ tag: String, _ list: String, _ isNamed: Bool) {
        #expect(EntityTag(asReceived: tag)?.isNamed(in: Array(list.utf8)) == isNamed)
    }

    @Test(
        "what is no tag is none",
        arguments: ["", "a", "\"", "W/", "\"a", "\"a b\"", "\"a\"b\"", "w/\"a\"", "\"\u{7F}\""])
    func noTag(_ text: String) {
        #expect(EntityTag(asReceived: text) == nil)
    }
}
