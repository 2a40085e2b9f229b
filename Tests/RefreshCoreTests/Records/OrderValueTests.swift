import RefreshCore
import Testing

@Suite("Order values") struct OrderValueTests {
    private static func number(_ text: String) throws -> OrderValue {
        .number(try #require(DecimalNumber(text.utf8)))
    }

    @Test("compare as their stored bytes do, in either order, and no value is always the last")
    func compareAsStored() throws {
        let times: [Int64] = [.min, -1, 0, 1, .max]
        let values =
            [.null]
            + (try ["-1e9", "-10", "-9.5", "-0.1", "0", "0.1", "0.101", "1", "9.5", "10", "1e9"].map(
                OrderValueTests.number))
            + times.map { .time(Timestamp(microseconds: $0)) }
            + ["", "\u{0}", "\u{0}a", "a", "a\u{0}", "a\u{0}b", "aa", "b", "é"].map {
                OrderValue.text(Array($0.utf8))
            }
        for (index, left) in values.enumerated() {
            #expect(OrderValue(stored: left.stored()) == left)
            #expect(OrderValue(stored: left.stored(isDescending: false)) == left)
            for right in values[(index + 1)...] {
                #expect(left < right)
                #expect(left.stored().lexicographicallyPrecedes(right.stored()), "\(left) \(right)")
                guard left != .null else {
                    #expect(left.stored().lexicographicallyPrecedes(right.stored(isDescending: false)))
                    continue
                }
                let turned = (left.stored(isDescending: false), right.stored(isDescending: false))
                #expect(turned.1.lexicographicallyPrecedes(turned.0), "\(left) \(right)")
            }
        }
    }

    @Test("are bounded as stored")
    func areBounded() throws {
        let long = OrderValue.text(Array(repeating: 0x61, count: 100_000))
        #expect(long.stored().count == 1_024 + 3)
        let number = try OrderValueTests.number(String(repeating: "7", count: 100_000))
        #expect(number.stored().count == 1_024 + 10)
    }

    @Test(
        "are not read from other bytes",
        arguments: [
            [], [0, 0], [0x11, 1], [0x20, 1], [0x30, 0x61], [0x30, 0, 0, 1], [0x12, 1, 2], [0x77],
        ] as [[UInt8]])
    func areNotRead(bytes: [UInt8]) {
        #expect(OrderValue(stored: bytes) == nil)
    }

    static let times: [(text: String, isNumber: Bool, time: String?)] = [
        ("2024-03-05T10:00:00Z", false, "2024-03-05T10:00:00Z"),
        ("2024-03-05T10:00:00.5+02:00", false, "2024-03-05T08:00:00.500Z"),
        ("Tue, 05 Mar 2024 10:00:00 EST", false, "2024-03-05T15:00:00Z"),
        ("2024-3-5", false, "2024-03-05T00:00:00Z"), ("2024/3/5 8:30", false, "2024-03-05T08:30:00Z"),
        ("2024-3-5T8:30:00", false, "2024-03-05T08:30:00Z"),
        ("2024-03-05 10:00", false, "2024-03-05T10:00:00Z"),
        ("20240305", false, "2024-03-05T00:00:00Z"), ("2024", false, "2024-01-01T00:00:00Z"),
        ("1709632800", true, "2024-03-05T10:00:00Z"), ("1709632800", false, "2024-03-05T10:00:00Z"),
        ("1709632800.25", true, "2024-03-05T10:00:00.250Z"), ("1709632800000", true, "2024-03-05T10:00:00Z"),
        ("1709632800000000", true, "2024-03-05T10:00:00Z"),
        ("1709632800000000000", true, "2024-03-05T10:00:00Z"),
        ("1.7096328e9", true, "2024-03-05T10:00:00Z"), ("-86400", true, "1969-12-31T00:00:00Z"),
        (" 2024-03-05T10:00:00Z ", false, "2024-03-05T10:00:00Z"),
        ("", false, nil), ("soon", false, nil), ("1e30", true, nil), ("2024-13-05", false, nil),
    ]

    @Test("of times are read from what upstreams write (4.8)", arguments: times)
    func readTimes(text: String, isNumber: Bool, time: String?) {
        let value = ScalarValue(kind: isNumber ? .number : .string, bytes: Array(text.utf8))
        let expected = time.flatMap { Timestamp(rfc3339: $0.utf8) }
        #expect(expected != nil || time == nil)
        #expect(OrderValue(value, kind: .time) == expected.map { .time($0) } ?? .null)
    }

    @Test("of numbers are exact, of texts the bytes; what is of another type is no value")
    func readOthers() throws {
        func value(_ kind: ScalarValue.Kind, _ text: String) -> ScalarValue {
            ScalarValue(kind: kind, bytes: Array(text.utf8))
        }
        #expect(OrderValue(value(.number, "1.10"), kind: .number) == (try OrderValueTests.number("1.1")))
        #expect(OrderValue(value(.string, " 12 "), kind: .number) == (try OrderValueTests.number("12")))
        #expect(OrderValue(value(.string, "x"), kind: .number) == .null)
        #expect(OrderValue(value(.bool, "true"), kind: .number) == .null)
        #expect(OrderValue(value(.bool, "true"), kind: .time) == .null)
        #expect(OrderValue(value(.null, "null"), kind: .text) == .null)
        #expect(OrderValue(value(.number, "1.10"), kind: .text) == .text(Array("1.10".utf8)))
        #expect(OrderValue(value(.string, "e\u{301}"), kind: .text) == .text(Array("e\u{301}".utf8)))
    }
}

@Suite("Versions of records (C3)") struct VersionValueTests {
    private func version(_ text: String) -> VersionValue { VersionValue(Array(text.utf8)) }

    @Test(
        "are older or not, as numbers, times or texts",
        arguments: [
            ("9", "10", true), ("10", "9", false), ("10", "10", false), ("007", "7", false),
            ("2024-12-13T16:00:00Z", "2024-12-13T12:20:29-05:00", true),
            ("2024-12-13T12:20:29-05:00", "2024-12-13T16:00:00Z", false),
            ("a", "b", true), ("b", "a", false), ("1.9", "1.10", false), ("", "a", true),
        ])
    func areOlder(new: String, kept: String, isOlder: Bool) throws {
        #expect(version(new).isOlder(than: version(kept)) == isOlder)
        #expect((version(new) < version(kept)) == isOlder)
        let stored = try #require(VersionValue(stored: version(kept).stored))
        #expect(stored == version(kept))
        #expect(version(new).stored.lexicographicallyPrecedes(stored.stored) == isOlder)
    }

    @Test("of two kinds say nothing about each other")
    func ofTwoKinds() {
        for (one, other) in [("5", "a"), ("5", "2024-12-13T16:00:00Z"), ("2024-12-13T16:00:00Z", "a")] {
            #expect(!version(one).isOlder(than: version(other)))
            #expect(!version(other).isOlder(than: version(one)))
        }
        #expect(VersionValue(stored: OrderValue.null.stored()) == nil)
    }
}

@Suite("Single values") struct ScalarValueTests {
    @Test(
        "are flags where they say so",
        arguments: [
            (.bool, "true", true), (.bool, "false", false), (.null, "null", false), (.number, "0", false),
            (.number, "-0.0", false), (.number, "2", true), (.string, "TRUE", true), (.string, "no", false),
            (.string, "", false), (.string, "maybe", nil),
        ] as [(ScalarValue.Kind, String, Bool?)])
    func areFlags(kind: ScalarValue.Kind, text: String, flag: Bool?) {
        #expect(ScalarValue(kind: kind, bytes: Array(text.utf8)).flag == flag)
    }

    @Test(
        "are counts where they are whole and not negative",
        arguments: [
            (.number, "12", 12), (.number, "1e3", 1_000), (.string, " 7 ", 7), (.number, "0", 0),
            (.number, "1.5", nil),
            (.number, "-1", nil), (.number, "1e30", nil), (.bool, "true", nil), (.string, "x", nil),
        ] as [(ScalarValue.Kind, String, Int?)])
    func areCounts(kind: ScalarValue.Kind, text: String, count: Int?) {
        #expect(ScalarValue(kind: kind, bytes: Array(text.utf8)).count == count)
    }

    @Test("are JSON again")
    func areJSON() {
        #expect(String(decoding: ScalarValue("a\"b").json, as: UTF8.self) == #""a\"b""#)
        #expect(
            String(decoding: ScalarValue(kind: .number, bytes: Array("1.10".utf8)).json, as: UTF8.self)
                == "1.10")
    }
}
