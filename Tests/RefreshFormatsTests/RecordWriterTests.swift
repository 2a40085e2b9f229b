import RefreshCore
import Testing

@testable import RefreshFormats

@Suite("A record written") struct RecordWriterTests {
    @Test("escapes what it must at any place of a string, and nothing else")
    func escapes() throws {
        for byte in UInt8(0)...0x7F {
            for place in 0..<18 {
                // Neighbours whose bits a careless look at eight bytes at once takes for a match.
                for filler in [UInt8(ascii: "a"), 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F] {
                    var text = [UInt8](repeating: filler, count: 18)
                    text[place] = byte
                    var writer = RecordWriter()
                    writer.string(text)
                    let mustEscape = byte < 0x20 || byte == 0x22 || byte == 0x5C
                    #expect(writer.bytes.contains(0x5C) == mustEscape)
                    let document = try JSONDocument(parsing: PaddedBytes(writer.bytes))
                    #expect(document.string(of: document.root) == text)
                }
            }
        }
    }

    @Test("keeps text beyond ASCII as it is", arguments: ["", "é", "日本語のテキスト", "a😀\"😀\\😀\n😀"])
    func keepsText(text: String) throws {
        var writer = RecordWriter()
        writer.string(Array(text.utf8))
        let document = try JSONDocument(parsing: PaddedBytes(writer.bytes))
        #expect(document.text(document.root) == text)
    }

    @Test(
        "has its times as RFC 3339 says", arguments: [-62_167_219_200, -1, 0, 951_782_400, 253_402_300_799])
    func writesTimes(seconds: Int64) {
        for time in [Timestamp(seconds: seconds), Timestamp(microseconds: seconds * 1_000_000 + 500_000)] {
            var writer = RecordWriter()
            writer.member("t", time)
            #expect(writer.bytes == Array("\"t\":\"\(time.rfc3339)\"".utf8))
        }
    }
}

@Suite("A date of the usual form") struct FeedDateTests {
    @Test("is read as any other date would be")
    func agrees() {
        var read = 0
        var random = Randomness(seed: 3)
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mox", "mon"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "jan", "Foo",
        ]
        let zones = [
            "GMT", "UTC", "EST", "+0000", "-0000", "+0530", "-0700", "+1400", "+1500", "+0060", "*0100",
        ]
        func number(_ range: ClosedRange<Int>) -> String {
            let number = Int.random(in: range, using: &random)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        for _ in 0..<5_000 {
            let date = "\(weekdays.randomElement(using: &random) ?? ""), \(number(0...32))"
            let month = "\(months.randomElement(using: &random) ?? "") \(number(9...99))\(number(0...99))"
            let clock = "\(number(0...24)):\(number(0...60)):\(number(0...61))"
            let text = Array("\(date) \(month) \(clock) \(zones.randomElement(using: &random) ?? "")".utf8)
            guard let time = FeedDate.usual(text) else { continue }
            read += 1
            #expect(time == Timestamp(feedDate: text), "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(read > 500)
    }

    @Test(
        "leaves every other form to a closer look",
        arguments: [
            "", "2020-01-01T00:00:00.000+00:00", "Mon, 01 Jun 2020 00:00:00 EDT",
            "Mon, 1 Jun 2020 00:00:00 GMT",
            "Mon, 31 Jun 2020 00:00:00 GMT", "Mon, 01 Jun 2020 00:00:60 GMT", "Mon, 01 Jun 2020 24:00:00 GMT",
        ])
    func leavesOthers(text: String) {
        #expect(FeedDate.usual(Array(text.utf8)) == nil)
        #expect(FeedDate.timestamp(Array(text.utf8)) == Timestamp(feedDate: Array(text.utf8)))
    }
}
