import RefreshCore
import Testing

@Suite("Retry-After") struct RetryAfterTests {
    private static let now = Timestamp(seconds: 784_111_777)

    @Test(
        "is seconds or a date",
        arguments: [
            ("0", 0), ("120", 120), (" 120 ", 120), ("007", 7), ("604800", 604_800), ("604801", 604_800),
            ("1000000000", 604_800), ("99999999999999999999999999", 604_800),
            ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
            ("Sun Nov  6 08:50:37 1994", 60), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 604_800),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ])
    func isRead(value: String, seconds: Int) {
        #expect(RetryAfter.parse(value, now: RetryAfterTests.now) == .seconds(seconds))
    }

    @Test(
        "is nothing else",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1s", "soon", "120, 60", "1e3", "Sun, 06 Nov 1994 08:50:37", "٣",
        ])
    func isNothingElse(value: String) {
        #expect(RetryAfter.parse(value, now: RetryAfterTests.now) == nil)
    }
}
