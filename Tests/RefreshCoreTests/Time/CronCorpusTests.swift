import RefreshCore
import TestSupport
import Testing

/// Every case of the corpus of cron expressions.
@Suite("Cron expressions of the corpus", .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
struct CronCorpusTests {
    @Test("are accepted, refused and continued as two other programs agree")
    func agrees() throws {
        var (valid, refused, times) = (0, 0, 0)
        for item in CorpusValue.lines(of: "cron/cases.jsonl") {
            let name = item["name"].text ?? ""
            let expression = item["expression"].text ?? ""
            guard item["expected"]["valid"].isTrue else {
                #expect(throws: Cron.Failure.self, "\(name)") { try Cron(parsing: expression) }
                refused += 1
                continue
            }
            let cron = try Cron(parsing: expression)
            let zoneName = item["zone"].text ?? ""
            let zone = try #require(zoneName == "UTC" ? Zone.utc : TZifZone.zone(zoneName), "\(zoneName)")
            var time = try #require(Self.time(item["after"]))
            for expected in item["expected"]["next"].elements {
                let next = cron.next(after: time, in: zone)
                #expect(next == Self.time(expected), "\(name)")
                time = next ?? time
                times += 1
            }
            valid += 1
        }
        print("cron: \(valid) expressions continued over \(times) times, \(refused) refused")
        #expect(valid + refused == 393)
    }

    private static func time(_ value: CorpusValue) -> Timestamp? {
        value.text.flatMap { Timestamp(rfc3339: $0.utf8) }
    }
}
