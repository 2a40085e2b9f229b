import RefreshConfig
import Testing

@Suite("Trees of YAML") struct YAMLComposerTests {
    private func root(_ text: String) throws -> YAMLNode {
        var composer = YAMLComposer()
        try composer.read(Array(text.utf8))
        return try #require(composer.documents.first?.root)
    }

    private func failure(_ text: String) -> YAMLFailure? {
        do {
            _ = try root(text)
            return nil
        } catch {
            return error as? YAMLFailure
        }
    }

    private func pairs(_ node: YAMLNode) -> [YAMLNode.Pair] {
        if case .mapping(let pairs) = node.content { pairs } else { [] }
    }

    @Test("each node knows its line and column, counted in characters") func places() throws {
        let pairs = pairs(try root("a: 1\nü€😀: {b: x, 'c': \"y\"}\n"))
        #expect(pairs.map(\.key.start) == [SourcePlace(line: 1, column: 1), SourcePlace(line: 2, column: 1)])
        #expect(
            pairs.map(\.value.start) == [SourcePlace(line: 1, column: 4), SourcePlace(line: 2, column: 6)])
        let inner = self.pairs(pairs[1].value)
        #expect(inner.map(\.value.start.column) == [10, 18])
    }

    struct Inside: CustomTestStringConvertible {
        let text: String
        let offset: Int
        let column: Int
        var testDescription: String { text }
    }

    @Test(
        "a place inside a scalar is exact where it was written verbatim, and its start otherwise",
        arguments: [
            Inside(text: "abc", offset: 2, column: 6), Inside(text: "\"abc\"", offset: 2, column: 7),
            Inside(text: "'abc'", offset: 3, column: 8), Inside(text: "'a''b'", offset: 2, column: 4),
            Inside(text: "\"a\\tb\"", offset: 2, column: 4), Inside(text: "\"é€x\"", offset: 5, column: 7),
            Inside(text: "&n abc", offset: 2, column: 4),
            Inside(text: "abc  # comment", offset: 1, column: 5),
            Inside(text: "|\n  abc", offset: 2, column: 4), Inside(text: "ab\n  cd", offset: 4, column: 4),
        ])
    func inside(_ item: Inside) throws {
        let value = pairs(try root("k: \(item.text)\n"))[0].value
        #expect(value.place(atByte: item.offset) == SourcePlace(line: 1, column: item.column))
    }

    @Test("an alias is what its anchor names, with the anchor's place") func aliases() throws {
        let pairs = pairs(try root("a: &x {n: 1}\nb: *x\n"))
        #expect(pairs[1].value.isAlias)
        #expect(!pairs[0].value.isAlias)
        #expect(pairs[1].value.start == pairs[0].value.start)
        #expect(self.pairs(pairs[1].value).count == 1)
    }

    @Test("an anchor that is set again holds from there on") func anchorAgain() throws {
        let pairs = pairs(try root("a: &x 1\nb: *x\nc: &x 2\nd: *x\n"))
        #expect(pairs.map(\.value.scalar?.text) == ["1", "1", "2", "2"])
    }

    @Test("an anchor does not reach into the next document") func anchorOfEarlierDocument() {
        #expect(failure("--- &x a\n--- *x\n")?.kind == .alias)
    }

    @Test("an alias inside of what it names is refused, whatever had that name before") func cycle() {
        #expect(failure("a: &x 1\nb: &x [*x]\n")?.kind == .alias)
    }

    @Test("64 levels are read, one more is not") func depth() {
        #expect(failure(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
        let failure = failure(String(repeating: "[", count: 65) + String(repeating: "]", count: 65))
        #expect(failure?.kind == .limit)
        #expect(failure?.place == SourcePlace(line: 1, column: 65))
    }

    @Test("aliases may stand for 100,000 values in all") func aliasLimit() {
        // A list of 99 with itself weighs 100.
        let list = "a: &a [\(Array(repeating: "x", count: 99).joined(separator: ","))]\n"
        func uses(_ count: Int) -> String {
            "b: [\(Array(repeating: "*a", count: count).joined(separator: ","))]"
        }
        #expect(failure(list + uses(1_000)) == nil)
        #expect(failure(list + uses(1_001))?.kind == .limit)
    }

    @Test("random bytes and cut texts end in a value or a failure, never in a crash") func robust() {
        let text = Array("a: &x {b: [1, 'two', \"th\\tree\"], c: |\n  text\n}\nd: *x\n<<: {e: !t f}\n".utf8)
        for length in 0...text.count {
            _ = ConfigReader.read(bytes: Array(text.prefix(length)), file: "f")
        }
        var generator = Noise(state: 42)
        for _ in 0..<2_000 {
            var damaged = text
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<text.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            let result = ConfigReader.read(bytes: damaged, file: "f")
            #expect(result.plan == nil)
            #expect(!result.errors.isEmpty)
        }
    }
}

/// SplitMix64.
private struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
