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
    private static let otherwise: [String: String] = [
        "freshness-max-age-two-fresh-stale-sameline": "of two ages the lesser counts",
        "freshness-max-age-two-fresh-stale-sepline": "of two ages the lesser counts",
        "freshness-max-age-two-stale-fresh-sameline": "of two ages the lesser counts",
        "freshness-max-age-two-stale-fresh-sepline": "of two ages the lesser counts",
        "freshness-max-age-a100": "an age that is no number is none",
        "headers-omit-headers-listed-in-Cache-Control-no-cache": "no-cache for one field counts for all",
        "headers-omit-headers-listed-in-Cache-Control-no-cache-single":
            "no-cache for one field counts for all",
        "cc-resp-immutable-stale": "no cache directives are sent",
        "stale-warning-stored": "Warning is obsolete (RFC 9111, 5.5)",
        "conditional-etag-strong-generate-unquoted": "tags are echoed as they came (policy V1)",
        "invalidate-DELETE-cl": "an operation makes its own feed dirty, and those that the file names (O18)",
        "invalidate-DELETE-location":
            "an operation makes its own feed dirty, and those that the file names (O18)",
        "invalidate-M-SEARCH-location":
            "an operation makes its own feed dirty, and those that the file names (O18)",
        "invalidate-POST-cl": "an operation makes its own feed dirty, and those that the file names (O18)",
    ]

    @Test("is above the best of the published caches, and what is decided otherwise stands on a list")
    func reachesPeers() {
        var (passed, total, ofReaders, ofShared) = (0, 0, 0, 0)
        var failed: [String] = []
        var peers: [String: Int] = [:]
        for item in CorpusValue.lines(of: "http-cache/cases.jsonl")
        where Self.suites.contains(item["suite"].text ?? "") {
            // Readers ask over the socket, with tags of our own: no header field of theirs goes through.
            if item["requests"].elements.contains(where: { $0["request_headers"] != .null }) {
                ofReaders += 1
                continue
            }
            // What caches in front of an origin do, browsers leave out, and so do we.
            if item["browser_skip"].isTrue {
                ofShared += 1
                continue
            }
            total += 1
            if case .object(let results) = item["peers"] {
                for (peer, result) in results where result.isTrue { peers[peer, default: 0] += 1 }
            }
            var run = CacheRun(item["requests"].elements)
            if run.passes() { passed += 1 } else { failed.append(item["name"].text ?? "") }
        }
        let best = peers.max { $0.value < $1.value }
        print(
            "http-cache: \(passed) of \(total) cases, best peer \(best?.key ?? "none") \(best?.value ?? 0); "
                + "left out: \(ofReaders) with header fields of readers, \(ofShared) of shared caches")
        #expect(passed >= best?.value ?? 0)
        #expect(Set(failed) == Set(Self.otherwise.keys))
        #expect(ofReaders == 27)
        #expect(ofShared == 8)
    }
}
