import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpora of CSV", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct CSVCorpusTests {
    /// What is ruled out: an empty row behind the last line end, which RFC 4180 has as optional.
    static let ruledOut: Set<String> = [
        "parse/Mixed slash n and slash r should choose first as precident", "parse/Blank lines at end",
    ]

    @Test("of rows are cut as they say, all that follow the RFC")
    func cuts() throws {
        var right = 0
        var wrong: Set<String> = []
        for line in try JSONLines("csv-papaparse/cases.jsonl").cases {
            guard line.text(of: line.member("strict_rfc4180")) == "true" else { continue }
            let input = try #require(line.corpusInput)
            let text = Transcoder.utf8(input[...], contentType: nil, kind: .text)
            var reader = CSVReader(text, dialect: CSVDialect(of: text, plan: CSVPlan()))
            var rows: [[String]] = []
            while try reader.next() {
                rows.append(reader.fields.map { String(decoding: reader.bytes(of: $0), as: UTF8.self) })
            }
            let expected = try #require(line.member("expected"))
            let wanted = try #require(line.member("rows", of: expected))
            if rows
                == line.elements(of: wanted).map({ row in line.elements(of: row).map { line.text($0) ?? "?" }
                    })
            {
                right += 1
            } else {
                wrong.insert(line.corpusName)
            }
        }
        print("csv-papaparse: \(right) of \(right + wrong.count) strict cases right")
        #expect(wrong == CSVCorpusTests.ruledOut)
        #expect(right == 47)
    }

    @Test("of objects are read as they say")
    func readsObjects() throws {
        let cases = try JSONLines("csv-spectrum/cases.jsonl").cases
        for line in cases {
            let input = try #require(line.corpusInput)
            let expected = try #require(line.member("expected"))
            let wanted = try #require(line.member("objects", of: expected))
            let objects = line.elements(of: wanted).map { line.canonical($0) }
            // Each has other columns; the first is good enough for a key where values differ.
            let first = try #require(line.elements(of: wanted).first { _ in true })
            let name = try #require(
                line.members(of: first).first { _ in true }.flatMap { line.text($0.name) })
            let page = try CSVRecords.page(
                of: input[...], plan: RecordsPlan(path: .root, key: [.column(name)]))
            let read = try page.rows.map { row in
                let body = try JSONDocument(parsing: PaddedBytes(Array(page.body(of: row))))
                return body.canonical(body.root)
            }
            #expect(read == objects, "\(line.corpusName)")
        }
        print("csv-spectrum: \(cases.count) cases right")
        #expect(cases.count == 8)
    }

    @Test("sample gives its records, keys and empty values")
    func readsSample() throws {
        let plan = RecordsPlan(path: .root, key: [.column("City"), .column("State")])
        let page = try CSVRecords.page(of: sample("us-population.csv").content, plan: plan)
        #expect(page.rows.count == 100 && page.rejected == 0)
        #expect(Set(page.rows.map(\.key)).count == 100)
        let empty = page.rows.count { row in
            String(decoding: page.body(of: row), as: UTF8.self).contains(#""Population":"""#)
        }
        #expect(empty == 50)
    }
}

extension JSONDocument {
    /// The text of a node as written; nil without one.
    func text(of node: JSONNode?) -> String? { node.map { String(decoding: text(of: $0), as: UTF8.self) } }
}
