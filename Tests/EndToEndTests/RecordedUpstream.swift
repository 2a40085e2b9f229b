import RefreshCore
import RefreshFormats
import TestSupport

/// Pairs of requests and answers that somebody recorded at a real server, replayed on loopback: wherever the server's
/// own address stands in a head or a body, this one's stands instead.
final class RecordedUpstream: Sendable {
    private struct Pair: Sendable {
        let target: String
        let status: Int
        let headers: [(String, String)]
        let body: [UInt8]
    }

    private final class Shelf: Sendable {
        let pairs: Locked<[Pair]> = Locked([])
        let unrecorded = Locked<[String]>([])
    }

    private let shelf = Shelf()
    private let server: ScriptedUpstream

    /// - Parameter sample: a list of pairs; each request's address begins with `origin`.
    init(_ sample: [UInt8], origin: String) throws {
        let shelf = shelf
        server = try ScriptedUpstream { request in
            if let pair = shelf.pairs.withLock({ $0.first { $0.target == request.target } }) {
                return UpstreamAnswer(status: pair.status, headers: pair.headers, body: pair.body)
            }
            shelf.unrecorded.withLock { $0.append(request.target) }
            return UpstreamAnswer(status: 404)
        }
        let pairs = try Self.pairs(sample, origin: origin, own: server.url(""))
        shelf.pairs.withLock { $0 = pairs }
    }

    deinit { server.stop() }

    func url(_ path: String) -> String { server.url(path) }
    /// What was asked, in order.
    var targets: [String] { server.requests.map(\.target) }
    /// What was asked and is in no pair: a test that replays fails by it.
    var unrecorded: [String] { shelf.unrecorded.withLock { $0 } }

    private static func pairs(_ sample: [UInt8], origin: String, own: String) throws -> [Pair] {
        let document = try JSONDocument(parsing: PaddedBytes(sample))
        return document.elements(of: document.root).compactMap { pair in
            guard let request = document.member("request", of: pair),
                let response = document.member("response", of: pair),
                let url = document.text("url", in: request), url.hasPrefix(origin),
                let body = document.member("body", of: response)
            else { return nil }
            var headers: [(String, String)] = []
            if let fields = document.member("headers", of: response) {
                headers = document.members(of: fields).map { field in
                    let text = document.string(of: field.value) ?? Array(document.text(of: field.value))
                    let value = replaced(origin, by: own, in: text)
                    return (document.text(field.name) ?? "", String(decoding: value, as: UTF8.self))
                }
            }
            let bytes = document.string(of: body) ?? Array(document.text(of: body))
            return Pair(
                target: String(url.dropFirst(origin.utf8.count)),
                status: document.text("status", in: response).flatMap { Int($0) } ?? 200,
                headers: headers, body: replaced(origin, by: own, in: bytes))
        }
    }

    private static func replaced(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
        var (rest, result) = (bytes[...], [UInt8]())
        while let range = rest.firstRange(of: Array(old.utf8)) {
            result += rest[..<range.lowerBound] + Array(new.utf8)
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
