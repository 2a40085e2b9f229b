import RefreshCore
import Testing

@Suite("Exact numbers") struct DecimalNumberTests {
    @Test(
        "of one value are equal and have one spelling",
        arguments: [
            (["0", "-0", "0.0", "0e5", "-0.00e-7"], "0"),
            (["1", "1.0", "10e-1", "0.1e1", "1E+0", "1e00"], "1"),
            (["-1.5", "-15e-1", "-0.15e1", "-1.50"], "-1.5"), (["100", "1e2", "1E2", "0.001e5"], "100"),
            (["0.00012", "1.2e-4", "12e-5"], "0.00012"), (["1e400", "10e399"], "0.1e401"),
            (
                ["123456789012345678901234567890", "123456789012345678901234567890.0"],
                "123456789012345678901234567890"
            ),
            (["1e-9", "0.000000001"], "0.1e-8"),
        ])
    func areEqual(spellings: [String], text: String) throws {
        for spelling in spellings {
            let number = try #require(DecimalNumber(spelling.utf8), "\(spelling)")
            #expect(number.text == text)
            #expect(number == DecimalNumber(spellings[0].utf8))
            #expect(DecimalNumber(number.text.utf8) == number)
        }
    }

    @Test("sort by value, whatever their size and spelling")
    func sort() throws {
        let ascending = [
            "-1e400", "-9007199254740993", "-9007199254740992", "-10", "-9.99", "-1e-400", "0", "1e-400",
            "0.1", "0.11", "0.2", "9.99", "10", "10.000000000000000000001", "9007199254740992",
            "9007199254740993", "123456789012345678901234567890", "123456789012345678901234567891", "1e400",
        ]
        let numbers = try ascending.map { try #require(DecimalNumber($0.utf8)) }
        for (low, high) in zip(numbers, numbers.dropFirst()) {
            #expect(low < high, "\(low.text) \(high.text)")
            #expect(!(high < low))
        }
    }

    @Test(
        "are nothing else",
        arguments: ["", "-", "a", "1.", ".5", "1e", "1e+", "+1", "1 ", " 1", "0x1", "1.2.3", "--1"])
    func areNothingElse(text: String) {
        #expect(DecimalNumber(text.utf8) == nil)
    }

    @Test("have exponents without end")
    func areUnbounded() throws {
        let huge = try #require(DecimalNumber("1e99999999999999999999999".utf8))
        let large = try #require(DecimalNumber("1e400".utf8))
        let tiny = try #require(DecimalNumber("1e-99999999999999999999999".utf8))
        #expect(large < huge)
        #expect(tiny < large && DecimalNumber.zero < tiny)
    }

    @Test(
        "give whole numbers of 64 bits",
        arguments: [
            ("1700000000.5", 6, 1_700_000_000_500_000), ("-1.5", 0, -1),
            ("9223372036854775807", 0, Int64.max),
            ("-9223372036854775808", 0, Int64.min), ("9223372036854775808", 0, nil), ("1e30", 0, nil),
            ("0.4", 0, 0), ("0", 6, 0), ("1e-400", 6, 0),
        ] as [(String, Int, Int64?)])
    func giveWhole(text: String, power: Int, expected: Int64?) throws {
        #expect(try #require(DecimalNumber(text.utf8)).shifted(by: power) == expected)
    }
}
