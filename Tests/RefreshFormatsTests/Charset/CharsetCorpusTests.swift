import RefreshCore
import TestSupport
import Testing

@testable import RefreshFormats

@Suite("The corpora of charsets", .enabled(if: Corpora.folder != nil, Comment(rawValue: Corpora.absent)))
struct CharsetCorpusTests {
    @Test("of Content-Type are read as they say, type and charset")
    func readsContentTypes() throws {
        let cases = try JSONLines("content-type/cases.jsonl").cases
        for line in cases {
            let name = line.corpusName
            let input = try #require(line.member("input"))
            let field = try #require(line.elements(of: input).first { _ in true }.flatMap { line.text($0) })
            let expected = try #require(line.member("expected"))
            let type = MediaType(parsing: field)
            #expect(type?.text == line.text(line.member("mime_type", of: expected)), "\(name)")
            let charset = type?.charset.flatMap { Charset(label: $0) }
            #expect(charset?.name == line.text(line.member("encoding", of: expected)), "\(name)")
        }
        print("content-type: \(cases.count) cases right")
        #expect(cases.count == 52)
    }

    @Test("of HTML are found in the first 16 KiB, and windows-1252 where nothing is")
    func prescans() throws {
        let cases = try JSONLines("html-encoding/cases.jsonl").cases
        for line in cases {
            let input = try #require(line.corpusInput)
            let expected = try #require(line.member("expected"))
            let wanted = try #require(line.text(line.member("encoding", of: expected)))
            let charset =
                CharsetDetector.mark(of: input[...])?.charset ?? HTMLPrescan.charset(of: input[...])
                ?? .windows1252
            #expect(charset.name.lowercased() == wanted.lowercased(), "\(line.corpusName)")
            let detected = CharsetDetector.detect(bytes: input[...], contentType: nil, kind: .html)
            #expect(detected == charset || detected == .utf8, "\(line.corpusName)")
        }
        print("html-encoding: \(cases.count) cases right")
        #expect(cases.count == 59)
    }
}
