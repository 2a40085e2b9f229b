import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

/// Notes what a server really answers, to be held against the document.
final class AnswerRecorder: Sendable {
    /// A way to answer that the document has.
    struct Way: Hashable, CustomStringConvertible {
        /// Such as `GET /v1/feeds`; `none` where no route takes the request.
        let route: String
        let status: Int
        /// Of a problem.
        var code: String?

        var description: String { "\(route) \(status) \(code ?? "")" }
    }

    private struct State {
        var ways: Set<Way> = []
        var lines: [[UInt8]] = []
    }

    private let state = Locked(State())

    var ways: Set<Way> { state.withLock(\.ways) }
    var count: Int { state.withLock(\.lines.count) }
    /// One JSON object a line, for `scripts/check-answers`.
    var text: [UInt8] { state.withLock { Array($0.lines.joined(separator: [0x0A])) } }

    func note(_ method: String, _ target: String, _ answer: UnixHTTP.Answer) throws {
        try note(
            method, target, status: answer.status, type: answer.headers.first("Content-Type"), answer.body)
    }

    func note(_ method: String, _ target: String, status: Int, type: String?, _ body: [UInt8]) throws {
        let segments = (try? RequestTarget(Array(target.utf8)))?.segments ?? []
        let route = try? RouteTable.route(method, segments)
        let name = route.map { "\($0.method.rawValue) \($0.template)" } ?? "none"
        let type = type.map { String($0.prefix { $0 != ";" }) }
        var way = Way(route: name, status: status)
        if type == "application/problem+json" {
            way.code = try String(decoding: JSONMember.text("code", in: body), as: UTF8.self)
        }
        var line = JSONText()
        line.object { line in
            line.member("route", name)
            line.member("status", status)
            line.member("type", type)
            line.member("body", String(decoding: body, as: UTF8.self))
        }
        state.withLock { state in
            state.ways.insert(way)
            state.lines.append(line.bytes)
        }
    }

    /// Notes an object that a stream has sent.
    func note(schema: String, _ body: String) {
        var line = JSONText()
        line.object { line in
            line.member("schema", schema)
            line.member("body", body)
        }
        state.withLock { $0.lines.append(line.bytes) }
    }

    /// What the document says, apart from the problems that every route may have.
    static var documented: Set<Way> {
        var ways = Set(
            RouteDescription.problemsOfNone.map {
                Way(route: "none", status: Int($0.status), code: $0.rawValue)
            })
        for route in RouteTable.routes {
            let (name, description) = (
                "\(route.method.rawValue) \(route.template)", route.endpoint.description
            )
            for answer in description.answers { ways.insert(Way(route: name, status: Int(answer.status))) }
            for code in description.problems {
                ways.insert(Way(route: name, status: Int(code.status), code: code.rawValue))
            }
        }
        return ways
    }
}

/// The one member that the recorder needs of a problem.
enum JSONMember {
    struct Absent: Error {}

    static func text(_ name: String, in body: [UInt8]) throws -> [UInt8] {
        let start = Array("\"\(name)\":\"".utf8)
        guard let range = body.firstRange(of: start) else { throw Absent() }
        return Array(body[range.upperBound...].prefix { $0 != UInt8(ascii: "\"") })
    }
}
