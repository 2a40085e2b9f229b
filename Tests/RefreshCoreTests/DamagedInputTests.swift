import RefreshCore
import Testing

/// Every reader meets bytes that nobody meant. An index out of range or an overflow would end the daemon, so the test
/// is that this one ends, and that whatever is read is written and read again as the same.
@Suite("Damaged input") struct DamagedInputTests {
    private static let samples = [
        "2024-05-01T10:30:15.250+02:00", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Tue, 10 Jun 2003 04:00:00 GMT+01:00 (x)", "1d2h3m4s5ms", "8388607TiB",
        "http://u@[2001:db8::192.0.2.1]:8080/a/%2e%2E/b%?c=ü#d", "https://192.0.2.1/../x",
        "//host.example:1/./a b",
        #"$.a['b\u00e9\ud83d\ude00'][-12]["c"] [*].d"#, "max-age=60, no-cache=\"a\\\"\", no-store",
        #"$..a[?@.b == 'x\u00e9' && !(count(@..*) >= -1.5e2) || match(@['c'], "a[b-d]*\\p{Lu}")][1:-2:3,'k']"#,
        #"<a/b?c>; rel="next prev"; title="x, \"y", <d>; rel=last"#, "%a, %d %b %Y %I:%M:%S.%f %p %z %%",
        "-12.50e-3",
        "(a|b.)*[^c-e\\-]{2,3}\\P{L}+",
    ]

    private func damaged(_ chance: inout Randomness) -> String {
        var bytes = Array((DamagedInputTests.samples.randomElement(using: &chance) ?? "").utf8)
        for _ in 0...Int.random(in: 0..<4, using: &chance) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &chance)
            switch Int.random(in: 0..<4, using: &chance) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = UInt8.random(in: 0..<128, using: &chance)
            case 2: bytes.insert(bytes.randomElement(using: &chance) ?? 0, at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("is read without harm, and reads back as itself", arguments: 1...8)
    func isReadWithoutHarm(seed: UInt64) {
        var chance = Randomness(seed: seed)
        let base = WebURL(scheme: .https, host: "e.com", port: nil, path: "/a/b", query: nil)
        let now = Timestamp(seconds: 1_767_225_600)
        for _ in 0..<4_000 {
            let text = damaged(&chance)
            let times = [
                Timestamp(rfc3339: text.utf8), Timestamp(httpDate: text.utf8, now: now),
                Timestamp(rfc822: text.utf8), Timestamp(feedDate: text.utf8),
            ]
            for case let time? in times { #expect(Timestamp(rfc3339: time.rfc3339.utf8) == time, "\(text)") }
            _ = RetryAfter.parse(text, now: now)
            _ = CacheDirectives(headers: HTTPHeaders([("cache-control", text)]))
            _ = HostAddress(host: text)
            if let duration = try? DurationText.parse(text) {
                #expect((try? DurationText.parse(DurationText.format(duration))) == duration, "\(text)")
            }
            if let size = try? ByteCount(parsing: text) {
                #expect((try? ByteCount(parsing: size.text)) == size, "\(text)")
            }
            for url in [try? WebURL(parsing: text), try? base.resolving(text)] {
                guard let url else { continue }
                #expect((try? WebURL(parsing: url.description)) == url, "\(text)")
                #expect((try? base.resolving(url.description)) == url, "\(text)")
                #expect(url.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text)")
            }
            if let path = try? JSONPath(parsing: text) {
                #expect((try? JSONPath(parsing: path.text)) == path, "\(text)")
            }
            if let filter = try? JSONFilter(parsing: text) {
                #expect((try? JSONFilter(parsing: filter.text)) == filter, "\(text)")
            }
            if let number = DecimalNumber(text.utf8) {
                #expect(DecimalNumber(number.text.utf8) == number, "\(text)")
                let order = OrderValue.number(number)
                #expect(OrderValue(stored: order.stored(isDescending: false)) == order, "\(text)")
            }
            #expect(OrderValue(stored: OrderValue.text(Array(text.utf8)).stored()) == .text(Array(text.utf8)))
            _ = OrderValue(stored: text.utf8)
            _ = LinkHeader.links(in: text)
            _ = try? IRegexp(parsing: Array(text.utf8))
            if let format = try? TimeFormat(parsing: text) {
                let written = format.text(of: now)
                if let reading = format.read(written.utf8) {
                    #expect(
                        format.text(of: reading.timestamp, offset: reading.offset ?? 0) == written, "\(text)")
                }
                _ = format.read(text.utf8)
            }
        }
    }
}
