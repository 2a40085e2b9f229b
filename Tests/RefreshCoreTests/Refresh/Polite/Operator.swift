import RefreshCore

/// A feed's server in virtual time, with the log and the opinion of the one who runs it.
struct Operator {
    /// What it does beside serving its document.
    enum Manner: Int, CaseIterable {
        case plain, tagOnly, dateOnly, maxAge, expires, noCache, skipHours, ttl, rotatingTag, markedTag,
            unknownTag,
            movedForGood, limited, outages, deadConnections, goneForGood, farFutureDate, retryAfterDate
    }

    struct Request {
        let at: Timestamp
        let etag: String?
        let lastModified: String?
        let url: WebURL
    }

    enum Answer {
        case report(PassReport, changed: Bool)
        case failure(RefreshFailure)
    }

    let manner: Manner
    let url: WebURL
    private(set) var requests = 0
    private(set) var notModified = 0
    /// What was found wrong, in the operator's words.
    private(set) var complaints: [String] = []
    /// Judgements passed, the good ones included.
    private(set) var judged = 0
    private var random: Randomness
    private let gap: Double
    private var nextEntry: Timestamp
    private var version = 1
    private var tagNumber = 1
    private var changedAt: Timestamp
    private var last: Timestamp?
    private var lastUnconditional: Timestamp?
    private var given: Validators?
    private var notBefore: Timestamp?
    private var lastLimited: Timestamp?

    init(_ manner: Manner, url: WebURL, gap: Double, start: Timestamp, seed: UInt64) {
        self.manner = manner
        self.url = url
        self.gap = gap
        random = Randomness(seed: seed)
        nextEntry = start + .seconds(random.exponential(gap))
        changedAt = start
    }

    private mutating func judge(_ isGood: Bool, _ complaint: @autoclosure () -> String) {
        judged += 1
        if !isGood { complaints.append("\(manner): \(complaint())") }
    }

    mutating func answer(_ request: Request) -> Answer {
        if manner == .deadConnections, random.unit() < 0.05 {
            // Nobody at the server's side sees it.
            return .failure(
                RefreshFailure(.transient, code: "connect-timeout", detail: "no connection"))
        }
        requests += 1
        while nextEntry <= request.at {
            version += 1
            changedAt = nextEntry
            nextEntry = nextEntry + .seconds(random.exponential(gap))
        }
        score(request)
        last = request.at
        if let failure = refusal(request) { return .failure(failure) }
        return document(request)
    }

    // MARK: - The operator's scores

    private mutating func score(_ request: Request) {
        let isConditional = request.etag != nil || request.lastModified != nil
        if let last {
            let passed = request.at - last
            judge(passed >= .seconds(3_600), "asked again after \(passed)")
        }
        if let notBefore { judge(request.at >= notBefore, "asked before the time that it was told") }
        notBefore = nil
        if manner == .skipHours {
            judge(!(3...8).contains(CivilTime(request.at).hour), "asked in an hour to be skipped")
        }
        if !isConditional {
            // Of a server that gave nothing to ask with, nothing else can be expected.
            if let lastUnconditional, given?.isEmpty == false {
                judge(
                    request.at - lastUnconditional >= .seconds(86_400),
                    "two unconditional requests within a day")
            }
            lastUnconditional = request.at
        }
        if let given {
            judge(request.etag == nil || request.etag == given.etag, "a tag that was never given")
            judge(
                request.lastModified == nil || request.lastModified == given.lastModified,
                "a date that was never given")
            // A server that does not know its own tag is asked by date alone.
            if manner != .unknownTag, manner != .markedTag, isConditional {
                judge(request.etag == given.etag, "the tag was left out")
                judge(request.lastModified == given.lastModified, "the date was left out")
            }
        }
    }

    // MARK: - Answers

    private mutating func refusal(_ request: Request) -> RefreshFailure? {
        switch manner {
        case .limited where random.unit() < 0.1:
            let pause = Int(random.unit() * 20_000)
            notBefore = request.at + .seconds(pause)
            return RefreshFailure(
                .rate, code: "http-429", detail: "too many", status: 429, retryAfter: .seconds(pause))
        case .retryAfterDate where random.unit() < 0.1:
            let pause = RetryAfter.parse("Fri, 02 Jan 2026 00:00:00 GMT", now: request.at)
            notBefore = request.at + (pause ?? .zero)
            return RefreshFailure(
                .transient, code: "http-503", detail: "busy", status: 503, retryAfter: pause)
        case .outages where random.unit() < 0.1:
            let status = [500, 502, 404, 403][Int(random.unit() * 4)]
            return RefreshFailure(
                status >= 500 ? .transient : .upstream, code: "http-\(status)", detail: "", status: status)
        case .goneForGood where request.at > Samples.start.wall + .seconds(10 * 86_400):
            return RefreshFailure(.upstream, code: "http-410", detail: "gone", status: 410)
        default: return nil
        }
    }

    private mutating func document(_ request: Request) -> Answer {
        if manner == .rotatingTag { tagNumber += 1 }
        let tag = manner == .markedTag ? "W/\"v\(version)-gzip\"" : "\"v\(version)-\(tagNumber)\""
        let date = "Mon, 01 Jan 2024 00:00:0\(version % 10) +0000"
        var current = Validators(etag: tag, lastModified: date)
        if manner == .tagOnly { current.lastModified = nil }
        if manner == .dateOnly || manner == .farFutureDate { current.etag = nil }
        if manner == .farFutureDate { current.lastModified = "Tue, 01 Jan 2041 00:00:00 GMT" }
        let knowsTag = ![Manner.unknownTag, .markedTag, .rotatingTag].contains(manner)
        // With a tag the date does not count (RFC 9110, 13.1.3).
        let isSame =
            request.etag != nil
            ? knowsTag && request.etag == current.etag
            : request.lastModified != nil && request.lastModified == current.lastModified
        let head = headers(current, at: request.at)
        let freshness = HTTPFreshness(head, now: request.at)
        if case .lasting(let time) = freshness { notBefore = request.at + min(time, .seconds(86_400)) }
        if case .expiring(let time) = freshness { notBefore = request.at + min(time, .seconds(86_400)) }
        let hasNew = seen != version
        seen = version
        let body = ContentHash(high: UInt64(version), low: 0)
        var report = PassReport(
            validators: isSame
                ? (given ?? current).merged(with: head) : Validators(replacingWith: head),
            scope: 1, freshness: freshness, bodyHash: isSame ? nil : body,
            isUnchanged: isSame || !hasNew, isFull: !isSame)
        if isSame {
            notModified += 1
        } else {
            report.feedHints = hints()
        }
        if manner == .movedForGood, request.url == url {
            report.permanentTarget = try? url.resolving("/new/place")
        }
        given = report.validators
        return .report(report, changed: !isSame && hasNew)
    }

    private var seen = 0

    private func headers(_ validators: Validators, at now: Timestamp) -> HTTPHeaders {
        var headers = HTTPHeaders()
        if let etag = validators.etag { headers.append("ETag", etag) }
        if let date = validators.lastModified { headers.append("Last-Modified", date) }
        switch manner {
        case .maxAge:
            headers.append("Cache-Control", "public, max-age=14400")
            headers.append("Age", "600")
        case .noCache: headers.append("Cache-Control", "no-cache, max-age=0")
        case .expires:
            headers.append("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
            headers.append("Expires", "Thu, 01 Jan 2026 05:00:00 GMT")
        default: break
        }
        return headers
    }

    private func hints() -> FeedHints? {
        var hints = FeedHints()
        switch manner {
        case .skipHours: hints.skipHours = Set(3...8)
        case .ttl:
            hints.interval = .seconds(10_800)
        default: break
        }
        return hints
    }
}
