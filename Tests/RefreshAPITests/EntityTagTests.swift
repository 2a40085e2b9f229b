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
}
