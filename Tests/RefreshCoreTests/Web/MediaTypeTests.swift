import RefreshCore
import Testing

@Suite("A media type") struct MediaTypeTests {
    static let good: [(field: String, essence: String, charset: String?)] = [
        ("text/csv", "text/csv", nil), (" Text/CSV ; Charset=\"UTF-8\" ", "text/csv", "UTF-8"),
        ("application/xml;a=b;charset=x;charset=y", "application/xml", "x"),
        ("application/rss+xml; charset=\"a\\\"b", "application/rss+xml", "a\"b"),
        ("text/html;charset", "text/html", nil), ("text/html;charset=", "text/html", nil),
    ]

    @Test("is read from a field, with its charset", arguments: good)
    func reads(field: String, essence: String, charset: String?) {
        let type = MediaType(parsing: field)
        #expect(type?.essence == essence)
        #expect(type?.charset == charset)
    }

    @Test(
        "is not made of anything else",
        arguments: ["", "text", "text/", "/xml", "text/x y", "te xt/xml", "*/*/*"])
    func refuses(field: String) {
        #expect(MediaType(parsing: field) == nil)
    }
}
