import RefreshCore
import RefreshEngine

/// A refusal, as a client gets to see it (RFC 9457).
struct Problem: Error, Sendable {
    /// Every code there is; programs go by it, so a code once given keeps its meaning.
    enum Code: String, Sendable, CaseIterable {
        case badTarget = "bad-target"
        case ambiguousLength = "ambiguous-length"
        case unknownParameter = "unknown-parameter"
        case invalidParameter = "invalid-parameter"
        case badKey = "bad-key"
        case badCursor = "bad-cursor"
        case badBody = "bad-body"
        case forbidden
        case foreignOrigin = "foreign-origin"
        case notFound = "not-found"
        case feedNotFound = "feed-not-found"
        case itemNotFound = "item-not-found"
        case noDocument = "no-document"
        case unsupportedVersion = "unsupported-api-version"
        case methodNotAllowed = "method-not-allowed"
        case resync
        case bodyTooLarge = "body-too-large"
        case uriTooLong = "uri-too-long"
        case unsupportedMediaType = "unsupported-media-type"
        case headTooLarge = "head-too-large"
        case cacheFailed = "cache-failed"
        case neverFetched = "never-fetched"
        case tooStale = "too-stale"
        case configInvalid = "config-invalid"
        case controlBusy = "control-busy"
        case backupFailed = "backup-failed"
        case quotaExceeded = "quota-exceeded"
        case busy
        case tooManyConnections = "too-many-connections"
        case tooManyStreams = "too-many-streams"
        case stopping

        var status: UInt32 {
            switch self {
            case .badTarget, .ambiguousLength, .unknownParameter, .invalidParameter, .badKey, .badCursor,
                .badBody:
                400
            case .forbidden, .foreignOrigin: 403
            case .notFound, .feedNotFound, .itemNotFound, .noDocument, .unsupportedVersion: 404
            case .methodNotAllowed: 405
            case .controlBusy: 409
            case .resync: 410
            case .bodyTooLarge: 413
            case .uriTooLong: 414
            case .unsupportedMediaType: 415
            case .configInvalid: 422
            case .headTooLarge: 431
            case .quotaExceeded: 429
            case .cacheFailed, .backupFailed: 500
            case .neverFetched, .busy, .tooManyConnections, .tooManyStreams, .stopping: 503
            case .tooStale: 504
            }
        }

        var title: String {
            switch self {
            case .badTarget: "The target cannot be read"
            case .ambiguousLength: "Where the request ends is not clear"
            case .unknownParameter: "Unknown query parameter"
            case .invalidParameter: "Query parameter out of its range"
            case .badKey: "Not a sync key of this feed"
            case .badCursor: "Not a cursor of this list"
            case .badBody: "The body cannot be read"
            case .forbidden: "Not allowed"
            case .foreignOrigin: "Not a local request"
            case .notFound: "No such path"
            case .feedNotFound: "No such feed"
            case .itemNotFound: "No such item"
            case .noDocument: "No document"
            case .unsupportedVersion: "Unknown version of the API"
            case .methodNotAllowed: "Not with this method"
            case .resync: "The sync key can no longer be answered"
            case .bodyTooLarge: "Body too large"
            case .uriTooLong: "Target too long"
            case .unsupportedMediaType: "Not JSON"
            case .headTooLarge: "Head too large"
            case .cacheFailed: "The cache cannot be read"
            case .neverFetched: "Nothing was fetched yet"
            case .tooStale: "Older than was asked for"
            case .configInvalid: "The configuration is wrong"
            case .controlBusy: "One at a time"
            case .backupFailed: "The backup was not written"
            case .quotaExceeded: "Too many upstream requests"
            case .busy: "Too much under way"
            case .tooManyConnections: "Too many connections"
            case .tooManyStreams: "Too many streams"
            case .stopping: "The daemon stops"
            }
        }
    }

    /// A member beyond the common ones.
    struct Member: Sendable {
        let name: StaticString
        let values: [String]
        let isList: Bool

        static func text(_ name: StaticString, _ value: String) -> Member {
            Member(name: name, values: [value], isList: false)
        }
        static func list(_ name: StaticString, _ values: [String]) -> Member {
            Member(name: name, values: values, isList: true)
        }
    }

    let code: Code
    let detail: String
    let members: [Member]
    /// Where in the body the mistake is (RFC 6901).
    let pointer: String?
    /// What is wrong with the files.
    let faults: [ReloadFault]
    /// Goes with every 429 and 503.
    let retryAfter: Duration?
    /// The methods that would do, with a 405.
    let allow: String?

    init(
        _ code: Code, _ detail: String, members: [Member] = [], pointer: String? = nil,
        faults: [ReloadFault] = [], retryAfter: Duration? = nil, allow: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.members = members
        self.pointer = pointer
        self.faults = faults
        self.retryAfter = retryAfter ?? ([429, 503].contains(code.status) ? .seconds(1) : nil)
        self.allow = allow
    }

    /// - Parameter instance: the id of the request, which the log has as well.
    func answer(instance: String) -> Answer {
        var answer = Answer(
            status: code.status, type: "application/problem+json", body: json(instance: instance).bytes)
        // A refusal is of this moment; a copy of it kept somewhere would outlive its reason.
        answer.add("Cache-Control", "no-store")
        if let retryAfter {
            answer.add("Retry-After", "\(max(1, (retryAfter.inMilliseconds + 999) / 1_000))")
        }
        if let allow { answer.add("Allow", allow) }
        return answer
    }

    private func json(instance: String) -> JSONText {
        var text = JSONText(reserving: 256)
        text.object { text in
            text.name("type")
            text.string("urn:refreshd:problem:\(code.rawValue)")
            text.name("title")
            text.string(code.title)
            text.name("status")
            text.number(code.status)
            text.name("detail")
            text.string(detail)
            text.name("code")
            text.string(code.rawValue)
            text.name("instance")
            text.string(instance)
            for member in members { write(member, to: &text) }
            if let pointer { write(pointer: pointer, to: &text) }
            if !faults.isEmpty {
                text.name("errors")
                text.array { text in
                    for fault in faults { text.fault(fault) }
                }
            }
            if let retryAfter {
                text.name("retry_after_ms")
                text.number(retryAfter.inMilliseconds)
            }
        }
        return text
    }

    private func write(pointer: String, to text: inout JSONText) {
        text.name("errors")
        text.array { text in
            text.object { text in
                text.member("pointer", pointer)
                text.member("detail", detail)
            }
        }
    }

    private func write(_ member: Member, to text: inout JSONText) {
        text.name(member.name)
        if member.isList {
            text.array { text in
                for value in member.values { text.string(value) }
            }
        } else {
            text.string(member.values.first ?? "")
        }
    }
}
