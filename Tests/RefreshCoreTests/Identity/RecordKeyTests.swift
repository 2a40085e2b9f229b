import RefreshCore
import Testing

@Suite("Record keys") struct RecordKeyTests {
    private func key(_ parts: String...) -> RecordKey { RecordKey(parts: parts.map { Array($0.utf8) }) }

    @Test("that only look the same stay apart")
    func canonicalEquivalence() {
        let composed = RecordKey("caf\u{E9}")
        let decomposed = RecordKey("cafe\u{301}")
        #expect("caf\u{E9}" == "cafe\u{301}", "as strings they are equal, which is why keys are bytes")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("of one part are that part")
    func onePart() {
        #expect(key("a") == RecordKey("a"))
        #expect(key("[\"a\"]") == RecordKey("[\"a\"]"))
        #expect(key("") == RecordKey(""))
    }

    @Test("of several parts tell where each ends")
    func severalParts() {
        #expect(key("a", "bc").text == #"["a","bc"]"#)
        #expect(key("a", "bc") != key("ab", "c"))
        #expect(key("a", "", "b") != key("a", "b"))
        #expect(key("a\",\"b", "c") != key("a", "b", "c"))
        #expect(key("\u{1}\\", "é").text == #"["\u0001\\","é"]"#)
    }

    @Test("sort by bytes, not by letters")
    func sort() {
        let keys = ["b", "B", "é", "a", "10", "9", ""].map { RecordKey($0) }.sorted()
        #expect(keys.map(\.text) == ["", "10", "9", "B", "a", "b", "é"])
    }

    @Test("may be no UTF-8 and still be shown")
    func noUTF8() {
        #expect(RecordKey([0xFF, 0x61]).text == "\u{FFFD}a")
        #expect(RecordKey([0xFF]) != RecordKey([0xFE]))
    }
}
