import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("Records of a CSV answer") struct CSVRecordsTests {
    private func page(
        _ text: String, key: [String] = ["id"], fields: [FieldPlan] = [], csv: CSVPlan = CSVPlan(),
        limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        var plan = RecordsPlan(path: .root, key: key.map { .column($0) })
        plan.fields = fields
        plan.csv = csv
        return try CSVRecords.page(
            of: Array(text.utf8)[...], plan: plan, limits: limits)
    }

    private func bodies(_ page: RecordPage) -> [String] {
        page.rows.map { String(decoding: page.body(of: $0), as: UTF8.self) }
    }

    static let texts: [(text: String, bodies: [String])] = [
        ("id,b\n1,2\n", [#"{"id":"1","b":"2"}"#]), ("id,b\r\n1,2", [#"{"id":"1","b":"2"}"#]),
        ("id;b\r1;2,5\r", [#"{"id":"1","b":"2,5"}"#]), ("id\tb\n1\t", [#"{"id":"1","b":""}"#]),
        ("id|b\n\n1|2\n\n \n", [#"{"id":"1","b":"2"}"#]), ("id\na\n\nb\n", [#"{"id":"a"}"#, #"{"id":"b"}"#]),
        ("id,b\n1,\"a\"\"b\\\n\t\u{1}\"", [#"{"id":"1","b":"a\"b\\\n\t\u0001"}"#]),
        ("id,b\n1,\"a\"b c,\n", [#"{"id":"1","b":"ab c"}"#]),
        ("id,b\n1,a \"b\"\n", [#"{"id":"1","b":"a \"b\""}"#]),
        ("id,b,c\n1,2\n", [#"{"id":"1","b":"2"}"#]), ("id,b\n1,2,,\n", [#"{"id":"1","b":"2"}"#]),
        ("id,id,,id_2\n1,2,3,4\n", [#"{"id":"1","id_3":"2","column_3":"3","id_2":"4"}"#]),
        ("id,,column_2\n1,2,3\n", [#"{"id":"1","column_2_2":"2","column_2":"3"}"#]),
        ("id,b\n1,a\r\n", [#"{"id":"1","b":"a"}"#]), ("id,b\n1,a\rb\n", [#"{"id":"1","b":"a\rb"}"#]),
        ("\u{FEFF}id,é\n1,\u{0}\n", [#"{"id":"1","é":"\u0000"}"#]), ("id,b\n", []), ("", []), ("\n\n", []),
    ]

    @Test("are objects of strings by the names of the columns", arguments: texts)
    func reads(text: String, bodies: [String]) throws {
        let page = try page(text)
        #expect(self.bodies(page) == bodies)
        #expect(page.rejected == 0)
        #expect(page.rows.map(\.hash) == bodies.map { ContentHash.of(Array($0.utf8)) })
    }

    @Test("are read as the plan says")
    func followsPlan() throws {
        var csv = CSVPlan()
        csv.delimiter = UInt8(ascii: ";")
        csv.skip = 2
        csv.comment = "#"
        #expect(
            try bodies(page("Report, \"of\n1;2\n# c;d\nid;b\n#1;2\n3;4,5\n", csv: csv)) == [
                #"{"id":"3","b":"4,5"}"#
            ])
        csv = CSVPlan()
        csv.hasHeader = false
        #expect(
            try bodies(page("1,2\n", key: ["column_1"], csv: csv)) == [#"{"column_1":"1","column_2":"2"}"#])
        csv.columns = ["id", "b"]
        #expect(try bodies(page("1,2\n", csv: csv)) == [#"{"id":"1","b":"2"}"#])
        csv.hasHeader = true
        #expect(try bodies(page("x,y\n1,2\n", csv: csv)) == [#"{"id":"1","b":"2"}"#])
    }

    @Test("have the fields of the plan, by new names")
    func picksFields() throws {
        let fields = [
            FieldPlan(name: "two", path: .column("b")), FieldPlan(name: "n\"", path: .column("id")),
        ]
        let page = try page("id,a,b\n1,x,y\n", fields: fields)
        #expect(bodies(page) == [#"{"two":"y","n\"":"1"}"#])
        #expect(page.rows.map(\.key.text) == ["1"])
        #expect(throws: FormatFailure.columnMissing(name: "c", known: ["id", "b"])) {
            try self.page("id,b\n1,2\n", key: ["c"])
        }
    }

    @Test("have keys of one or more columns, byte for byte, the last of one key")
    func makesKeys() throws {
        #expect(try page("id,b\n é ,1\nx,2\nx,3\n").rows.map(\.key.text) == [" é ", "x"])
        #expect(try bodies(page("id,b\nx,2\nx,3\n")) == [#"{"id":"x","b":"3"}"#])
        #expect(try page("id,b\n1,\n", key: ["id", "b"]).rows.map(\.key.text) == [#"["1",""]"#])
    }

    static let refusals: [(row: String, reason: String)] = [
        ("a,,c,d", "it has 4 fields; the columns are 3"), (",b,c", "its key id is empty"),
        (String(repeating: "k", count: 1_025) + ",,", "its key has 1025 bytes; 1024 are allowed"),
        ("a," + String(repeating: "x", count: 2_000), "it has 2017 bytes; 2000 are allowed"),
    ]

    @Test("are refused alone where they are wrong", arguments: refusals)
    func refuses(row: String, reason: String) throws {
        var limits = RecordLimits()
        limits.item = ByteCount(2_000)
        let page = try page("id,b,c\n\(row)\n1,2,3\n", limits: limits)
        #expect(bodies(page) == [#"{"id":"1","b":"2","c":"3"}"#])
        #expect(page.rejections == [RecordPage.Rejection(index: 0, reason: reason)])
        let short = try self.page("b,id\nx\n\n,1\n", limits: limits)
        #expect(short.rejections.map(\.reason) == ["its key id is missing"])
    }

    static let failures: [(text: String, failure: FormatFailure)] = [
        ("id,b\n1,\"x\n2,y\n", .csvInvalid(line: 2, what: "a quote that is never closed")),
        ("id,b\r\n1,\"a\"\"\r\n", .csvInvalid(line: 2, what: "a quote that is never closed")),
        ("id,b\n1,\"a\"x\"\n2,\"", .csvInvalid(line: 3, what: "a quote that is never closed")),
        (
            "id,b\n" + String(repeating: ",", count: 20_000),
            .csvInvalid(line: 2, what: "more than 16384 fields")
        ),
        ("id,b\n1,2\n3,4\n5,6\n", .tooManyRecords(limit: 2)),
        ("id,b\n,2\n,4\n", .recordsRejected(rejected: 2, of: 2, first: "its key id is empty")),
    ]

    @Test("fail together where the text is hostile or cut off", arguments: failures)
    func fails(text: String, failure: FormatFailure) {
        var limits = RecordLimits()
        limits.rows = 2
        #expect(throws: failure) { try self.page(text, limits: limits) }
    }

    @Test("cannot repeat a long name without end")
    func boundsText() {
        let name = String(repeating: "n", count: 900)
        let rows = String(repeating: "1,2\n", count: 100)
        var limits = RecordLimits()
        limits.text = .kibibytes(64)
        let failure = #expect(throws: FormatFailure.self) {
            try self.page("id,\(name)\n\(rows)", limits: limits)
        }
        #expect(failure?.code == "too-large")
    }

    @Test("come in the charset that the header, the plan or the text tells")
    func readsCharsets() throws {
        let bytes: [UInt8] = Array("id,b\n1,".utf8) + [0xE1] + Array("\n".utf8)
        var plan = RecordsPlan(path: .root, key: [.column("id")])
        let russian = try CSVRecords.page(
            of: bytes[...], contentType: MediaType(parsing: "text/csv; charset=windows-1251"), plan: plan)
        #expect(bodies(russian) == [#"{"id":"1","b":"б"}"#])
        plan.charset = "iso-8859-2"
        #expect(try bodies(CSVRecords.page(of: bytes[...], plan: plan)) == [#"{"id":"1","b":"á"}"#])
        let wide = Array("id,b\n1,é\n".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        plan.charset = nil
        #expect(try bodies(CSVRecords.page(of: wide[...], plan: plan)) == [#"{"id":"1","b":"é"}"#])
    }

    @Test("changed at random are refused or JSON")
    func survivesChanges() {
        var random = Randomness(seed: 3)
        let good = Array("id,b,c\n1,\"a\"\"b\",x\r\n2,\"c\nd\",y\n\"3\" ,,z\n".utf8)
        let pieces = Array("\",;\n\r\t| #".utf8) + [0, 0x80, 0xFF, 0xFE]
        var accepted = 0
        for _ in 0..<2_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            let plan = RecordsPlan(path: .root, key: [.column("id")])
            guard let page = try? CSVRecords.page(of: bytes[...], plan: plan) else { continue }
            accepted += 1
            for row in page.rows {
                let body = Array(page.body(of: row))
                #expect(throws: Never.self) { try JSONDocument(parsing: PaddedBytes(body)) }
            }
        }
        #expect(accepted > 300)
    }
}
