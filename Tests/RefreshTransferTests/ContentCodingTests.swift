import RefreshCore
import Testing

@testable import RefreshTransfer

@Suite("Content coding") struct ContentCodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var header: [String] = ["gzip"]
        let body: [UInt8]
        let result: Result<String, TransferFailure>
        var testDescription: String { name }
    }

    static let whole = gzip("hello")
    static let litter = Array("<!-- served by x -->".utf8)
    static let damaged = {
        var bytes = whole
        bytes[bytes.count - 6] ^= 0xFF
        return bytes
    }()

    static let cases = [
        Case(name: "none", header: [], body: Array("hello".utf8), result: .success("hello")),
        Case(name: "identity", header: ["identity"], body: Array("hello".utf8), result: .success("hello")),
        Case(name: "gzip", body: whole, result: .success("hello")),
        Case(name: "x-gzip", header: ["X-GZip"], body: whole, result: .success("hello")),
        Case(name: "gzip and identity", header: ["identity, gzip ,"], body: whole, result: .success("hello")),
        Case(name: "gzip that nobody mentions", header: [], body: whole, result: .success("hello")),
        Case(
            name: "gzip that is called identity", header: ["identity"], body: whole, result: .success("hello")
        ),
        Case(name: "two members", body: whole + gzip(" world"), result: .success("hello world")),
        Case(name: "an empty member between", body: whole + gzip("") + whole, result: .success("hellohello")),
        Case(name: "zeros behind", body: whole + [0, 0, 0, 0], result: .success("hello")),
        Case(name: "litter behind", body: whole + litter, result: .success("hello")),
        Case(name: "nothing at all", body: [], result: .success("")),
        Case(name: "gzip of nothing", body: gzip(""), result: .success("")),
        Case(
            name: "cut in its data", body: Array(whole.dropLast(9)),
            result: .failure(.badCoding(reason: "it ends too early"))),
        Case(
            name: "cut in its check sum", body: Array(whole.dropLast(2)),
            result: .failure(.badCoding(reason: "it ends too early"))),
        Case(
            name: "cut in its head", body: Array(whole.prefix(4)),
            result: .failure(.badCoding(reason: "it ends too early"))),
        Case(
            name: "cut in the second member", body: whole + whole.prefix(12),
            result: .failure(.badCoding(reason: "it ends too early"))),
        Case(
            name: "cut behind the first byte of the second member", body: whole + whole.prefix(1),
            result: .failure(.badCoding(reason: "it ends too early"))),
        Case(
            name: "wrong check sum", body: damaged,
            result: .failure(.badCoding(reason: "incorrect data check"))),
        Case(
            name: "plain text called gzip", body: Array("hello".utf8),
            result: .failure(.badCoding(reason: "incorrect header check"))),
        Case(name: "brotli", header: ["br"], body: whole, result: .failure(.unsupportedCoding("br"))),
        Case(
            name: "deflate", header: ["deflate"], body: whole, result: .failure(.unsupportedCoding("deflate"))
        ),
        Case(
            name: "gzip in gzip", header: ["gzip, gzip"], body: gzip(whole),
            result: .failure(.unsupportedCoding("gzip, gzip"))),
        Case(
            name: "two headers", header: ["gzip", "br"], body: whole,
            result: .failure(.unsupportedCoding("gzip, br"))),
    ]

    @Test("is undone wholly or refused", arguments: cases)
    func decodes(_ item: Case) {
        let headers = HTTPHeaders(item.header.map { ("Content-Encoding", $0) })
        let result = Result { () throws(TransferFailure) in
            try ContentCoding(headers).decode(item.body, limit: .kibibytes(1))
        }
        #expect(result.map { String(decoding: $0, as: UTF8.self) } == item.result)
    }

    @Test("has its limit on the decoded side", arguments: [0, 1, 999, 1_000, 65_536, 1_000_000])
    func limits(_ size: Int) throws {
        let packed = gzip([UInt8](repeating: 0x61, count: size))
        let exact = try ContentCoding.gzip.decode(packed, limit: ByteCount(size))
        #expect(exact == [UInt8](repeating: 0x61, count: size))
        guard size > 0 else { return }
        #expect(throws: TransferFailure.tooLargeDecoded(limit: ByteCount(size - 1))) {
            try ContentCoding.gzip.decode(packed, limit: ByteCount(size - 1))
        }
    }

    @Test("adds the members up against one limit")
    func limitsMembers() {
        let packed = gzip([UInt8](repeating: 0x61, count: 600))
        #expect(throws: TransferFailure.tooLargeDecoded(limit: .kibibytes(1))) {
            try ContentCoding.gzip.decode(packed + packed, limit: .kibibytes(1))
        }
    }
}
