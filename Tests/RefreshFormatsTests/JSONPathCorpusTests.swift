import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpus of JSON paths", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct JSONPathCorpusTests {
    @Test("selects what it says, and refuses what is no path")
    func selects() throws {
        var selected = 0
        var refused = 0
        for line in try JSONLines("jsonpath/cases.jsonl").cases {
            let name = line.text(line.member("name")) ?? "?"
            let selector = try #require(line.text(line.member("selector")))
            let expected = try #require(line.member("expected"))
            guard let results = line.member("results", of: expected) else {
                #expect(line.bool(line.member("invalid_selector", of: expected)) == true)
                #expect(throws: JSONPath.Failure.self, "\(name)") {
                    try JSONPath(parsing: selector, isStrict: true)
                }
                refused += 1
                continue
            }
            let document = try #require(line.member("document"))
            let path = try JSONPath(parsing: selector, isStrict: true)
            let found = try line.nodes(at: path, from: document).map { line.canonical($0) }
            let isRight = line.elements(of: results).contains { result in
                line.elements(of: result).map { line.canonical($0) } == found
            }
            #expect(isRight, "\(name)")
            if isRight { selected += 1 }
        }
        print("jsonpath: \(selected) selected right, \(refused) refused, of 516")
        #expect(selected == 331 && refused == 185)
    }
}
