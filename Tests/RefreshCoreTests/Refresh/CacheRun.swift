import RefreshCore

/// One case of the caching corpus: a scripted origin, virtual time, and one cached answer that follows the rules of
/// `AnswerFreshness` and `Validators`.
struct CacheRun {
    private struct Stored {
        var headers: HTTPHeaders
        var freshness: AnswerFreshness
        var validators: Validators
        var received: Timestamp
        let body: String
    }

    private struct Reply {
        var status: Int?
        var headers = HTTPHeaders()
        var isCached = false
        var body = ""
    }

    private let steps: [CorpusValue]
    private var stored: [String: Stored] = [:]
    private var now = Timestamp(seconds: 1_767_225_600)
    /// What the origin saw in the step under way.
    private var asked: [Validators] = []
    private var originTag: String?
    private var originDate: String?

    init(_ steps: [CorpusValue]) { self.steps = steps }

    mutating func passes() -> Bool {
        for (number, step) in steps.enumerated() {
            asked = []
            let reply = perform(step, number: number + 1)
            if !check(step, reply, number: number + 1) { return false }
            now = now + (step["pause_after"].isTrue ? .seconds(3) : .milliseconds(1))
        }
        return true
    }

    // MARK: - The reader and the cache

    private mutating func perform(_ step: CorpusValue, number: Int) -> Reply {
        let place = step["filename"].text ?? ""
        let method = step["request_method"].text ?? "GET"
        guard method == "GET" else {
            let reply = origin(step, Validators(), number: number)
            // A change that the upstream took makes the copy worthless (semantics O18).
            if let status = reply.status, status < 400 { stored[place] = nil }
            return reply
        }
        guard let copy = stored[place] else { return fetch(step, place, Validators(), number: number) }
        let use = copy.freshness.use(after: now - copy.received)
        if use == .fresh, step["cache"].text != "no-cache" { return reply(of: copy) }
        if use == .whileRevalidating {
            _ = fetch(step, place, copy.validators, number: number)
            return reply(of: copy)
        }
        let fetched = fetch(step, place, copy.validators, number: number)
        let isError = fetched.status.map { $0 >= 500 } ?? true
        return isError && use == .onError ? reply(of: copy) : fetched
    }

    private func reply(of copy: Stored) -> Reply {
        Reply(status: 200, headers: copy.headers, isCached: true, body: copy.body)
    }

    private mutating func fetch(
        _ step: CorpusValue, _ place: String, _ validators: Validators, number: Int
    ) -> Reply {
        let reply = origin(step, validators, number: number)
        guard let status = reply.status else { return reply }
        if status == 304, var copy = stored[place] {
            copy.headers = CacheRun.updated(copy.headers, by: reply.headers)
            copy.validators = copy.validators.merged(with: reply.headers)
            copy.freshness = AnswerFreshness(copy.headers, received: now)
            copy.received = now
            stored[place] = copy.freshness.noStore ? nil : copy
            return Reply(status: 200, headers: copy.headers, body: copy.body)
        }
        guard status == 200 else { return reply }
        let freshness = AnswerFreshness(reply.headers, received: now)
        stored[place] =
            freshness.noStore
            ? nil
            : Stored(
                headers: reply.headers, freshness: freshness,
                validators: Validators(replacingWith: reply.headers), received: now, body: reply.body)
        return reply
    }

    /// The stored fields with those of a 304 in their place, but for the length (RFC 9111, 3.2).
    private static func updated(_ old: HTTPHeaders, by new: HTTPHeaders) -> HTTPHeaders {
        var headers = HTTPHeaders()
        let names = Set(new.fields.map { $0.name.lowercased() }).subtracting(["content-length"])
        for field in old.fields where !names.contains(field.name.lowercased()) {
            headers.append(field.name, field.value)
        }
        for field in new.fields where names.contains(field.name.lowercased()) {
            headers.append(field.name, field.value)
        }
        return headers
    }

    // MARK: - The origin

    private mutating func origin(_ step: CorpusValue, _ validators: Validators, number: Int) -> Reply {
        asked.append(validators)
        if step["disconnect"].isTrue { return Reply() }
        var headers = HTTPHeaders()
        for field in step["response_headers"].elements {
            guard let name = field.elements.first?.text, field.elements.count > 1 else { continue }
            headers.append(name, value(field.elements[1]))
        }
        if headers.first("date") == nil { headers.append("Date", CacheRun.date(now)) }
        headers.append("Client-Request-Count", "\(number)")
        let wantsValidation = step["expected_type"].text?.hasSuffix("validated") ?? false
        let isSame =
            (validators.etag != nil && validators.etag == originTag)
            || (validators.etag == nil && validators.lastModified != nil
                && validators.lastModified == originDate)
        originTag = headers.first("etag") ?? originTag
        originDate = headers.first("last-modified") ?? originDate
        if wantsValidation && isSame { return Reply(status: 304, headers: headers) }
        let status = step["response_status"].elements.first.flatMap(CacheRun.number) ?? 200
        return Reply(
            status: status, headers: headers, body: step["response_body"].text ?? "body \(number)")
    }

    private static func number(_ value: CorpusValue) -> Int? {
        if case .number(let text) = value { Int(text) } else { nil }
    }

    /// A number is a date so many seconds from now.
    private func value(_ value: CorpusValue) -> String {
        if let seconds = CacheRun.number(value) { return CacheRun.date(now + .seconds(seconds)) }
        return value.text ?? ""
    }

    private static func date(_ time: Timestamp) -> String {
        let civil = CivilTime(time)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return
            "\(days[civil.date.weekday]), \(two(civil.date.day)) \(months[civil.date.month - 1]) "
            + "\(civil.date.year) \(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)) GMT"
    }

    // MARK: - What the case expects

    private func check(_ step: CorpusValue, _ reply: Reply, number: Int) -> Bool {
        switch step["expected_type"].text {
        case "cached": if !reply.isCached || reply.status == nil { return false }
        case "not_cached": if asked.isEmpty || reply.isCached { return false }
        case "etag_validated": if asked.last?.etag == nil || reply.isCached { return false }
        case "lm_validated": if asked.last?.lastModified == nil || reply.isCached { return false }
        default: break
        }
        return checkStatus(step, reply) && checkHeaders(step, reply) && checkRequest(step)
    }

    private func checkStatus(_ step: CorpusValue, _ reply: Reply) -> Bool {
        if case .object(let members) = step, let expected = members["expected_status"] {
            if expected == .null { return reply.status == nil }
            if CacheRun.number(expected) != reply.status { return false }
        }
        return step["expected_response_text"].text.map { $0 == reply.body } ?? true
    }

    private func checkHeaders(_ step: CorpusValue, _ reply: Reply) -> Bool {
        for expected in step["expected_response_headers"].elements {
            if let name = expected.text {
                if reply.headers.first(name) == nil { return false }
            } else if let name = expected.elements.first?.text, expected.elements.count > 1 {
                let wanted = expected.elements[1]
                if wanted.text != nil, reply.headers.first(name) != wanted.text { return false }
            }
        }
        return step["expected_response_headers_missing"].elements.allSatisfy { missing in
            missing.text.map { reply.headers.first($0) == nil } ?? true
        }
    }

    /// What the origin was asked: the fields that we send are the validators.
    private func checkRequest(_ step: CorpusValue) -> Bool {
        step["expected_request_headers"].elements.allSatisfy { expected in
            guard let name = expected.elements.first?.text, expected.elements.count > 1 else { return true }
            switch name.lowercased() {
            case "if-none-match": return asked.last?.etag == expected.elements[1].text
            case "if-modified-since":
                return asked.last?.lastModified == expected.elements[1].text
            default:
                return step["request_headers"].elements.contains {
                    $0.elements.first?.text == name && $0.elements.last == expected.elements[1]
                }
            }
        }
    }
}
