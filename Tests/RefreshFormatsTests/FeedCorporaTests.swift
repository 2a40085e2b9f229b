import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpora of feeds", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct FeedCorporaTests {
    /// Documents of each corpus that are read at least; what is no feed are the others.
    static let corpora = [
        ("feeds-feedparser/cases.jsonl", 600), ("feeds-feedparser/markup.jsonl", 700),
        ("feeds-gofeed/cases.jsonl", 250),
        ("feeds-validator/cases.jsonl", 1_000), ("feeds-feedparser/encoding.jsonl", 30),
    ]

    @Test("are read without a crash, and every record is JSON", arguments: corpora)
    func reads(name: String, least: Int) throws {
        var read = 0
        var others: [String: Int] = [:]
        let base = try WebURL(parsing: "https://example.org/feed")
        for line in try JSONLines(name).cases {
            guard let input = line.member("input").flatMap({ line.string(of: $0) }) else { continue }
            do throws(FormatFailure) {
                let document = try SyndicationRecords.page(of: PaddedBytes(input), base: base)
                read += 1
                for row in document.page.rows {
                    let body = PaddedBytes(Array(document.page.body(of: row)))
                    #expect(
                        (try? JSONDocument(parsing: body)) != nil, "\(line.text(line.member("name")) ?? "?")")
                }
            } catch {
                others[error.code, default: 0] += 1
            }
        }
        print("\(name): \(read) documents read, not read: \(others.sorted { $0.key < $1.key })")
        #expect(read >= least)
    }
}
