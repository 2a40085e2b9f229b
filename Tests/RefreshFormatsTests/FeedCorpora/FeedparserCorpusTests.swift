import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite(
    "Feeds as another reader sees them",
    .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct FeedparserCorpusTests {
    @Test("agree in every field that both have, by the table")
    func agrees() throws {
        var tally = (checks: 0, mapped: 0, passed: 0, ruledOut: 0)
        var unmapped: [String: Int] = [:]
        var failing: Set<String> = []
        var differing: Set<String> = []
        for line in try JSONLines("feeds-feedparser/cases.jsonl").cases {
            guard let expected = line.member("expected") else { continue }
            let feed = try CorpusFeed(line)
            for node in line.elements(of: expected) {
                let check = FeedparserCheck(line, node)
                if check.isOfRepair { continue }
                tally.checks += 1
                guard let field = FeedparserField.of(check.pattern) else {
                    unmapped[check.pattern, default: 0] += 1
                    continue
                }
                if FeedparserLists.ruledOut.entries[feed.name] != nil {
                    tally.ruledOut += 1
                    if check.fault(in: feed, as: field) != nil { differing.insert(feed.name) }
                    continue
                }
                tally.mapped += 1
                if let fault = check.fault(in: feed, as: field) {
                    failing.insert(feed.name)
                    if FeedparserLists.failing.entries[feed.name] == nil { print("\(feed.name): \(fault)") }
                } else {
                    tally.passed += 1
                }
            }
        }
        print(
            "feeds-feedparser: \(tally), unmapped \(unmapped.values.reduce(0, +)) checks of \(unmapped.count) paths"
        )
        FeedparserLists.unmapped.expect(Set(unmapped.keys), "paths without a field")
        FeedparserLists.ruledOut.expect(differing, "cases that a decision rules out")
        FeedparserLists.failing.expect(failing, "cases that fail")
        #expect(tally.checks == 732)
        #expect(tally.mapped >= 450)
        #expect(tally.passed * 100 >= tally.mapped * 97)
    }

    @Test("need a repair where it says so")
    func repairs() throws {
        var tally = (checks: 0, right: 0)
        var failing: Set<String> = []
        for line in try JSONLines("feeds-feedparser/cases.jsonl").cases {
            guard let expected = line.member("expected") else { continue }
            let feed = try CorpusFeed(line)
            for node in line.elements(of: expected) {
                let check = FeedparserCheck(line, node)
                guard check.isOfRepair else { continue }
                tally.checks += 1
                if feed.neededRepair == (check.operation == "truthy") {
                    tally.right += 1
                } else {
                    failing.insert(feed.name)
                    if FeedparserLists.repairs.entries[feed.name] == nil {
                        print("\(feed.name): \(feed.failure)")
                    }
                }
            }
        }
        print("feeds-feedparser, repairs: \(tally)")
        FeedparserLists.repairs.expect(failing, "repairs seen otherwise")
        #expect(tally.checks == 685)
        #expect(tally.right * 100 >= tally.checks * 98)
    }

    @Test("hold every named and numbered character")
    func characters() throws {
        var tally = (cases: 0, right: 0, others: 0)
        for line in try JSONLines("feeds-feedparser/markup.jsonl").cases {
            let feed = try CorpusFeed(line)
            guard line.text(line.member("category")) == "entities" else {
                tally.others += 1
                continue
            }
            tally.cases += 1
            var isRight = true
            for node in line.member("expected").map({ line.elements(of: $0) }).map(Array.init) ?? [] {
                let check = FeedparserCheck(line, node)
                guard let field = FeedparserField.of(check.pattern) else { continue }
                if let fault = check.fault(in: feed, as: field) {
                    isRight = false
                    print("\(feed.name): \(fault)")
                }
            }
            if isRight { tally.right += 1 }
        }
        print("feeds-feedparser, characters: \(tally)")
        #expect(tally.cases == 193 && tally.right == tally.cases)
        #expect(tally.others == 620)
    }

    @Test("are read in the charset that they are in")
    func charsets() throws {
        var tally = (told: 0, right: 0, guesses: 0, guessed: 0)
        var failing: Set<String> = []
        for line in try JSONLines("feeds-feedparser/encoding.jsonl").cases {
            guard let expected = line.member("expected"), expected.kind == .array else { continue }
            let checks = line.elements(of: expected).map { FeedparserCheck(line, $0) }
            guard
                let label = checks.first(where: { $0.path == ["encoding"] })?.value.flatMap({ line.text($0) }
                ),
                let charset = Charset(label: label)
            else { continue }
            let bytes = line.corpusInput ?? []
            let type = try CorpusFeed(line).contentType
            let source = try FeedSource(bytes[...], contentType: type)
            let wanted = String(decoding: Transcoder.utf8(bytes[...], from: charset), as: UTF8.self)
            let isRight = wanted.hasSuffix(String(decoding: source.text, as: UTF8.self))
            let isGuess = line.text(line.member("category"))?.contains("chardet") == true
            if isGuess { tally.guesses += 1 } else { tally.told += 1 }
            if isRight, isGuess { tally.guessed += 1 }
            if isRight, !isGuess { tally.right += 1 }
            if !isRight { failing.insert(line.corpusName) }
        }
        print("feeds-feedparser, charsets: \(tally)")
        FeedparserLists.charsets.expect(failing, "charsets taken for others")
        #expect(tally.told == 51 && tally.right == tally.told)
        #expect(tally.guesses == 6 && tally.guessed >= 5)
    }
}
