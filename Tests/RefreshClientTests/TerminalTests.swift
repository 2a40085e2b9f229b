import RefreshClient
import RefreshCore
import Testing

@Suite("Safe text") struct SafeTextTests {
    @Test(
        "shows what could drive a terminal",
        arguments: [
            ("plain", "plain"),
            ("\u{1B}]0;owned\u{07}", "\\u001b]0;owned\\u0007"),
            ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
            ("\r\n<0>forged", "\\r\\n<0>forged"),
            ("\u{9B}31m", "\\u009b31m"),
            ("\u{7F}\u{0}", "\\u007f\\u0000"),
            ("\u{202E}fdp.exe\u{2066}", "\\u202efdp.exe\\u2066"),
            ("a\u{2028}b\u{2029}", "a\\u2028b\\u2029"),
            ("\u{FEFF}x\u{200B}\u{E0041}", "\\ufeffx\\u200b\\udb40\\udc41"),
            ("Käse 価格 👩‍👩‍👧‍👧", "Käse 価格 👩‍👩‍👧‍👧"),
        ])
    func escapes(_ raw: String, _ shown: String) {
        #expect(SafeText.escaped(raw) == shown)
    }
}

@Suite("Safe JSON") struct SafeJSONTests {
    @Test("is the same document in another spelling")
    func spelling() {
        let text = "{\n\t\"a\": \"\u{9B}31m\u{202E}\u{E0041}é\"\r\n}\n"
        #expect(SafeText.json(text) == "{\n\t\"a\": \"\\u009b31m\\u202e\\udb40\\udc41é\"\r\n}\n")
        #expect(SafeText.json("[1]\n") == "[1]\n")
    }
}

@Suite("Display width") struct DisplayWidthTests {
    @Test(
        "counts terminal columns, not characters",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("価格", 4), ("ｱ", 1), ("Ａ", 2), ("👩‍👩‍👧‍👧", 2), ("❤️", 2),
            ("❤", 1), ("한글", 4), ("…", 1),
        ])
    func width(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "cuts long text so that it fits, the mark included",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
            ("価格表", 6, "価格表"), ("価格表", 5, "価格…"), ("価格表", 4, "価…"), ("ab\u{1B}c", 6, "ab…"),
            ("ab\u{1B}c", 9, "ab\\u001bc"), ("", 3, ""),
        ])
    func fits(_ text: String, _ columns: Int, _ shown: String) {
        let fitted = DisplayWidth.fitted(text, columns: columns)
        #expect(fitted == shown)
        #expect(DisplayWidth.of(fitted) <= columns)
    }

    @Test("does not let one character stack marks without end")
    func marks() {
        let tower = "a" + String(repeating: "\u{301}", count: 5_000)
        #expect(DisplayWidth.fitted(tower, columns: 10).unicodeScalars.count < 20)
    }
}

@Suite("Wording") struct WordingTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    @Test(
        "tells ages and due times in one unit",
        arguments: [
            (0, "now", "now"), (1, "1s ago", "in 1s"), (119, "119s ago", "in 119s"), (120, "2m ago", "in 2m"),
            (7_199, "119m ago", "in 119m"), (7_200, "2h ago", "in 2h"), (172_800, "2d ago", "in 2d"),
            (-5, "now", "now"),
        ] as [(Int, String, String)])
    func times(_ seconds: Int, _ age: String, _ due: String) {
        #expect(Wording.age(of: now + .seconds(-seconds), now: now) == age)
        #expect(Wording.due(at: now + .seconds(seconds), now: now) == due)
    }

    @Test("does not call a moment nothing")
    func moment() {
        #expect(Wording.due(at: now + .milliseconds(300), now: now) == "in <1s")
    }

    @Test(
        "tells sizes in binary units",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"), (10_240, "10 KiB"),
            (1_048_575, "1.0 MiB"), (1_234_567, "1.2 MiB"), (10_000_000, "9.5 MiB"), (1_048_576, "1.0 MiB"),
            (5_368_709_120, "5.0 GiB"),
        ])
    func sizes(_ bytes: Int, _ text: String) {
        #expect(Wording.size(bytes) == text)
    }
}

@Suite("Indented JSON") struct IndentedJSONTests {
    @Test(
        "breaks lines between members and leaves strings and numbers alone",
        arguments: [
            ("{}", ["{}"]), ("[ ]", ["[]"]), ("1.10", ["1.10"]),
            (
                #"{"a":[1,{"b":"x,{\"}"}],"c":{}}"#,
                [
                    "{", #"  "a": ["#, "    1,", "    {", #"      "b": "x,{\"}""#, "    }", "  ],",
                    #"  "c": {}"#, "}",
                ]
            ),
            ("{\n \"a\" : 1 ,\"b\":[[]]}", ["{", #"  "a": 1,"#, #"  "b": ["#, "    []", "  ]", "}"]),
        ] as [(String, [String])])
    func lines(_ json: String, _ lines: [String]) {
        #expect(IndentedJSON.lines(json) == lines)
    }
}
