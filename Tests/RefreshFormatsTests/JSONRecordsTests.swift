import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("Records of a JSON answer") struct JSONRecordsTests {
    private func page(
        _ text: String, at rows: JSONPath = .root, key: [JSONPath] = [path("id")],
        limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        try JSONRecords.page(
            of: PaddedBytes(text), plan: RecordsPlan(path: rows, key: key), limits: limits)
    }

    static let keys: [(row: String, key: String)] = [
        (#"{"id": "a"}"#, "a"), (#"{"id": 1}"#, "1"), (#"{"id": "1"}"#, "1"), (#"{"id": -0}"#, "0"),
        (#"{"id": -7}"#, "-7"),
        (#"{"id": true}"#, "true"), (#"{"id": false}"#, "false"), (#"{"id": "\u0061\n"}"#, "a\n"),
        (#"{"id": " A "}"#, " A "),
        (#"{"id": 123456789012345678901234567890}"#, "123456789012345678901234567890"),
        (#"{"i\u0064": "x"}"#, "x"), (#"{"id": "e\u0301"}"#, "e\u{301}"),
    ]

    @Test("have keys of strings as they are and of integers in decimal (I1, I3)", arguments: keys)
    func readsKeys(row: String, key: String) throws {
        #expect(try page("[\(row)]").rows.map(\.key) == [RecordKey(key)])
    }

    static let refusals: [(row: String, reason: String)] = [
        ("{}", "its key $.id is missing"), ("7", "its key $.id is missing"),
        (#"{"id": null}"#, "its key $.id is null"), (#"{"id": {}}"#, "its key $.id is an object"),
        (#"{"id": [1]}"#, "its key $.id is an array"),
        (#"{"id": 1.0}"#, "its key $.id is a number with a fraction or an exponent"),
        (#"{"id": 1e3}"#, "its key $.id is a number with a fraction or an exponent"),
        (#"{"id": "\ud800"}"#, "its key $.id holds half of a surrogate pair"),
        (#"{"id": ""}"#, "its key $.id is empty"),
        (#"{"id": 1, "id": 2}"#, "its key $.id stands there more than once"),
        (#"{"id": "\#(String(repeating: "k", count: 1_025))"}"#, "its key has 1025 bytes; 1024 are allowed"),
    ]

    @Test("are refused without a usable key, with the reason, and the others stay (I5)", arguments: refusals)
    func refuses(row: String, reason: String) throws {
        let page = try page("[\(row), {\"id\": \"good\"}]")
        #expect(page.rows.map(\.key.text) == ["good"])
        #expect(page.rejected == 1)
        #expect(page.rejections == [RecordPage.Rejection(index: 0, reason: reason)])
    }

    @Test("have a key of 1,024 bytes at most")
    func allowsLongKey() throws {
        let key = String(repeating: "k", count: 1_024)
        #expect(try page(#"[{"id": "\#(key)"}]"#).rows.map(\.key.text) == [key])
    }

    @Test("have keys of several parts that never run together (I2)")
    func composes() throws {
        let two = try page(
            #"[{"a": "a", "b": "bc"}, {"a": "ab", "b": "c"}, {"a": 1, "b": "\""}]"#,
            key: [path("a"), path("b")])
        #expect(two.rows.map(\.key.text) == [#"["a","bc"]"#, #"["ab","c"]"#, #"["1","\""]"#])
        let half = try page(#"[{"a": 1}, {"a": 1, "b": 2}]"#, key: [path("a"), path("b")])
        #expect(half.rejections.map(\.reason) == ["its key $.b is missing"])
    }

    @Test("are themselves their key where they are strings or integers")
    func takesRowAsKey() throws {
        #expect(try page(#"["a", 2, "b"]"#, key: [.root]).rows.map(\.key.text) == ["a", "2", "b"])
        #expect(try page(#"["a"]"#, key: []).rows.map(\.key.text) == ["a"])
    }

    @Test(
        "are every node of the path, or one array's elements",
        arguments: [
            (#"[{"id":1},{"id":2}]"#, JSONPath.root, ["1", "2"]),
            (#"{"id":1}"#, .root, ["1"]),
            (#"{"d":{"items":[{"id":1}]}}"#, path("d", "items"), ["1"]),
            (#"{"d":{"items":[]}}"#, path("d", "items"), []),
            (#"{"items":[]}"#, path("items", "*"), []),
            (#"{"a":{"id":1},"b":{"id":2}}"#, path("*"), ["1", "2"]),
            (
                #"{"p":[{"r":[{"id":1},{"id":2}]},{"r":[{"id":3}]}]}"#, path("p", "*", "r", "*"),
                ["1", "2", "3"]
            ),
            (#"{"p":[{"r":[{"id":1},{"id":2}]}]}"#, path("p", "*", "r"), ["1", "2"]),
            ("[]", .root, []),
        ])
    func findsRows(text: String, rows: JSONPath, keys: [String]) throws {
        #expect(try page(text, at: rows).rows.map(\.key.text) == keys)
    }

    @Test(
        "fail where their path leads nowhere, which an empty list does not",
        arguments: [
            ("{}", path("items")), (#"{"items":1}"#, path("items", "x")), ("{}", path("items", "*")),
            (#"{"items":1}"#, path("items", "*")),
        ])
    func missesPath(text: String, rows: JSONPath) {
        #expect(throws: FormatFailure.recordsPathMissing(path: rows.text)) { try page(text, at: rows) }
    }

    @Test("of one key count once, the last of them (U5)")
    func keepsLast() throws {
        let page = try page(#"[{"id":1,"v":1},{"id":2},{"id":"1","v":2},{"id":1,"v":3}]"#)
        #expect(
            page.rows.map { String(decoding: page.body(of: $0), as: UTF8.self) } == [
                #"{"id":2}"#, #"{"id":1,"v":3}"#,
            ])
        #expect(page.rejected == 0)
    }

    @Test("keep their text to the byte, hashed as it stands")
    func keepsText() throws {
        let bodies = [
            #"{"id":1, "p":1.10 ,"big":123456789012345678901234567890,"s":"\u00e9\/é"}"#,
            #"{ "id" : 2,"lone":"\ud800","e":1e400}"#,
        ]
        let page = try page("[\n" + bodies.joined(separator: " ,\n\t") + "\n]")
        #expect(page.rows.map { String(decoding: page.body(of: $0), as: UTF8.self) } == bodies)
        #expect(page.rows.map(\.hash) == bodies.map { ContentHash.of(Array($0.utf8)) })
        #expect(page.rows[0].hash != page.rows[1].hash)
    }

    @Test("are not believed where more than half are refused (I5)")
    func guardsRejects() throws {
        let half = (0..<20).map { $0 % 2 == 0 ? "{}" : #"{"id":\#($0)}"# }.joined(separator: ",")
        let page = try page("[\(half)]")
        #expect(page.rejected == 10 && page.rows.count == 10)
        #expect(throws: FormatFailure.recordsRejected(rejected: 11, of: 21, first: "its key $.id is missing"))
        {
            try self.page("[\(half),{}]")
        }
        #expect(throws: FormatFailure.self) { try self.page("null") }
    }

    @Test("keep the reasons of the first ten refused, and the count of all")
    func boundsReasons() throws {
        let rows = (0..<50).map { $0 < 24 ? "{}" : #"{"id":\#($0)}"# }.joined(separator: ",")
        let page = try page("[\(rows)]")
        #expect(page.rejected == 24 && page.rejections.count == 10)
        #expect(page.rejections.map(\.index) == Array(0..<10))
    }

    @Test("are bounded in number and in size")
    func bounds() throws {
        var limits = RecordLimits()
        limits.rows = 2
        limits.item = ByteCount(20)
        #expect(throws: FormatFailure.tooManyRecords(limit: 2)) {
            try self.page(#"[{"id":1},{"id":2},{"id":3}]"#, limits: limits)
        }
        let page = try self.page(#"[{"id":1},{"id":2,"long":"aaaaaaaaaa"}]"#, limits: limits)
        #expect(page.rejections.map(\.reason) == ["it has 28 bytes; 20 are allowed"])
    }

    @Test("of a document that is no JSON fail with its byte")
    func failsOnFault() {
        #expect(throws: FormatFailure.self) { try page("<html>") }
        let failure = FormatFailure.jsonInvalid(offset: 3, what: "x")
        #expect(
            failure.refreshFailure
                == RefreshFailure(.data, code: "json-invalid", detail: "no JSON: x, at byte 3"))
    }
}

@Suite("Samples of JSON", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct JSONSampleTests {
    @Test("give their records and keys")
    func readsSamples() throws {
        let products = try JSONRecords.page(
            of: sample("shopify-products.json"), plan: RecordsPlan(key: [path("id")]))
        #expect(products.rows.map(\.key.text) == ["1", "2", "3", "4"])
        let weather = try JSONRecords.page(
            of: sample("weather-forecast.json"),
            plan: RecordsPlan(path: path("hourly", "data"), key: [path("time")]))
        #expect(weather.rows.count == 48)
        let daily = try JSONRecords.page(
            of: sample("weather-forecast.json"),
            plan: RecordsPlan(path: path("daily", "data"), key: [path("time")]))
        #expect(daily.rows.count == 8)
        let advisory = try JSONRecords.page(
            of: sample("osv-advisory.json"), plan: RecordsPlan(key: [path("id")]))
        #expect(advisory.rows.map(\.key.text) == ["PYSEC-2023-74"])
    }
}

/// A sample document of the corpora.
func sample(_ name: String) throws -> PaddedBytes {
    let file = try #require(Corpora.path("samples/\(name)"))
    return PaddedBytes(try #require(readFile(file)))
}
