import RefreshCore
import TestSupport
import Testing

/// The suites of the HTTP caching corpus that concern a feed with `upstream_headers: follow` (semantics F10).
@Suite("HTTP caching of the corpus", .enabled(if: Corpora.folder != nil, "\(Corpora.absent)"))
struct CacheCorpusTests {
    private static let suites: Set<String> = [
        "cc-freshness", "age-parse", "expires", "expires-parse", "cc-parse", "stale", "update304",
        "conditional-inm", "conditional-lm", "invalidation", "partial", "cc-response",
    ]

    /// What is decided otherwise, and why.
    private static let otherwise: [String: String] = [:]

    @Test("is at or above the best of the published caches, and what is decided otherwise stands on a list")
    func reachesPeers() {
        var (passed, total) = (0, 0)
        var failed: [String] = []
        var peers: [String: Int] = [:]
        for item in CorpusValue.lines(of: "http-cache/cases.jsonl")
        where Self.suites.contains(item["suite"].text ?? "") {
            let name = item["name"].text ?? ""
            total += 1
            if case .object(let results) = item["peers"] {
                for (peer, result) in results where result.isTrue { peers[peer, default: 0] += 1 }
            }
            var run = CacheRun(item["requests"].elements)
            if run.passes() { passed += 1 } else { failed.append(name) }
        }
        let best = peers.values.max() ?? 0
        print("http-cache: \(passed) of \(total) cases, best peer \(best); others: \(failed.sorted())")
        #expect(passed >= best)
        #expect(Set(failed) == Set(Self.otherwise.keys))
    }
}
