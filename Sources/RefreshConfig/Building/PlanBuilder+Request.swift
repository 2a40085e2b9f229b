import RefreshCore

extension PlanBuilder {
    /// The request of a feed's pages.
    mutating func listRequest(_ context: FeedContext) -> RequestPlan? {
        let section = context.section[block: FeedTable.request]
        let path = context.path(FeedTable.request)
        if let draft = section[RequestTable.list.url] {
            return request(section, draft, .list, context, path)
        }
        if case .plugin(let name) = context.adapter, !section.mentions(FeedTable.url.entry.name) {
            // A plugin knows itself where to go; what is asked of it counts for a host of its own.
            var plan = RequestPlan(
                url: WebURL(
                    scheme: .https, host: "\(name).plugin.invalid", port: nil, path: "/", query: nil))
            fill(&plan, section, .list, context, path)
            return plan
        }
        let isRefused =
            context.section.refused.contains(FeedTable.request.entry.name)
            || context.section.refused.contains(FeedTable.url.entry.name)
            || section.refused.contains(FeedTable.url.entry.name)
        if !isRefused { missing(FeedTable.url.entry, in: Section(), at: context.place, context.path) }
        return nil
    }

    /// A request of another purpose, whose own `url` is needed.
    mutating func request(
        _ section: Section, _ role: RequestRole, _ context: FeedContext, _ path: [String]
    ) -> RequestPlan? {
        let keys = RequestTable.of(role)
        guard let draft = section[keys.url] else { return nil }
        return request(section, draft, role, context, path)
    }

    private mutating func request(
        _ section: Section, _ draft: DraftTemplate, _ role: RequestRole, _ context: FeedContext,
        _ path: [String]
    ) -> RequestPlan? {
        let isShort = context.own.mentions(FeedTable.url.entry.name) && role == .list
        let name = FeedTable.url.entry.name
        let here = isShort ? context.path + [name] : path + [name]
        guard let (url, template) = url(draft, context, here) else { return nil }
        var plan = RequestPlan(url: url)
        plan.urlTemplate = template
        fill(&plan, section, role, context, path)
        return plan
    }

    // MARK: - URL

    private mutating func url(
        _ draft: DraftTemplate, _ context: FeedContext, _ path: [String]
    ) -> (WebURL, Template?)? {
        guard let template = template(draft, context, path) else { return nil }
        let isWritten = draft.literal == draft.written.text
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder):
                guard PlanBuilder.isBehindHost(text) else {
                    let message =
                        "\"$(\(placeholder.name))\" stands in the host; placeholders may stand behind it only"
                    problems.add(.badValue, at: draft.written.start, path, message)
                    return nil
                }
                text += "$(\(placeholder.name))"
            }
        }
        do {
            let url = try WebURL(parsing: text)
            return (url, template.placeholders.isEmpty ? nil : template)
        } catch {
            let place =
                isWritten || template.placeholders.count > 0 && text == draft.written.text
                ? draft.written.place(atByte: error.offset) : draft.written.start
            problems.add(.badValue, at: place, path, SafeText.escaped(error.message))
            return nil
        }
    }

    /// Whether what follows `text` is path or query: the origin is the feed's for good.
    private static func isBehindHost(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let slashes = bytes.indices.filter { bytes[$0] == 0x2F || bytes[$0] == 0x3F }
        return slashes.count > 2 && bytes.starts(with: "http".utf8)
    }

    // MARK: - The rest

    private mutating func fill(
        _ plan: inout RequestPlan, _ section: Section, _ role: RequestRole, _ context: FeedContext,
        _ path: [String]
    ) {
        let keys = RequestTable.of(role)
        var rest = plan.rest.value
        rest.method = section[RequestTable.method]
        rest.params = section[keys.params].flatMap { params($0, context, path + ["params"]) } ?? []
        rest.headers = section[keys.headers].flatMap { headers($0, context, path + ["headers"]) } ?? []
        rest.body = body(section, role, context, path)
        rest.cookies = section[RequestTable.cookies]
        rest.conditional = section[RequestTable.conditional]
        rest.revalidateFullAfter = section[RequestTable.revalidateFullAfter]
        rest.unixSocket = section[RequestTable.unix]
        rest.proxy = section[RequestTable.proxy].map { ProxyPlan(url: $0) }
        let redirects = section[block: RequestTable.redirects]
        rest.crossOrigin = redirects[RequestTable.Redirects.crossOrigin]
        rest.allowPrivate = context.section[FeedTable.allowPrivate] ?? allowsPrivate
        rest.limits.connect = section[RequestTable.connect]
        rest.limits.stall = section[RequestTable.stall]
        rest.limits.total = section[RequestTable.timeout]
        rest.limits.hops = redirects[RequestTable.Redirects.max]
        let limits = context.section[block: FeedTable.limits]
        rest.limits.wire = limits[FeedTable.Limits.body, context.kind]
        rest.limits.decoded = limits[FeedTable.Limits.decoded, context.kind]
        rest.tls = tls(section, path)
        plan.rest = Shared(rest)
        checkRequest(plan, section, path)
        if role == .list { noteSent(plan, section, context) }
    }

    private mutating func tls(_ section: Section, _ path: [String]) -> TLSPlan {
        let keys = section[block: RequestTable.tls]
        var tls = TLSPlan()
        tls.authorities = keys[RequestTable.TLS.ca]
        tls.certificate = keys[RequestTable.TLS.cert]
        tls.key = keys[RequestTable.TLS.key]
        tls.verify = keys[RequestTable.TLS.verify]
        if let setting = section[RequestTable.tls.entry.name], (tls.certificate == nil) != (tls.key == nil),
            keys.refused.isEmpty
        {
            let missing = tls.key == nil ? "key" : "cert"
            let message = "\"cert\" and \"key\" go together; write \"\(missing)\" too"
            problems.add(.conflict, at: setting.place, path + [RequestTable.tls.entry.name], message)
        }
        return tls
    }

    private mutating func checkRequest(_ plan: RequestPlan, _ section: Section, _ path: [String]) {
        if let setting = section[RequestTable.unix.entry.name], plan.proxy != nil {
            let message = "\"unix\" and \"proxy\" exclude each other; remove one"
            problems.add(.conflict, at: setting.keyPlace, path + [RequestTable.unix.entry.name], message)
        }
        if case .literal(let text)? = plan.proxy?.url, let setting = section[RequestTable.proxy.entry.name],
            !ProxyText.isProxy(text)
        {
            let message = "no URL of a proxy; write [http|https|socks5h]://[USER:PASSWORD@]HOST:PORT"
            problems.add(.badValue, at: setting.place, path + [RequestTable.proxy.entry.name], message)
        }
        if plan.body != nil, ["GET", "HEAD"].contains(plan.method),
            let setting = section["body"]
        {
            let message = "a \(plan.method) request with a body; most servers want \"method: POST\""
            problems.warn(.doubtful, at: setting.keyPlace, path + ["body"], message)
        }
    }

    private mutating func body(
        _ section: Section, _ role: RequestRole, _ context: FeedContext, _ path: [String]
    ) -> BodyPlan? {
        let keys = RequestTable.of(role)
        guard let body = section[keys.body] else { return nil }
        let here = path + ["body"]
        if let draft = body[keys.json] { return json(draft, context, here + ["json"]).map { .json($0) } }
        if let drafts = body[keys.form] { return params(drafts, context, here + ["form"]).map { .form($0) } }
        return body[keys.text].flatMap { template($0, context, here + ["text"]) }.map { .text($0) }
    }
}

extension RequestTable {
    static func of(_ role: RequestRole) -> RequestTable {
        switch role {
        case .list: list
        case .byID: byID
        case .action: action
        case .lookup: lookup
        case .login: login
        }
    }
}

/// URLs of proxies, which unlike others may hold a user and a password.
enum ProxyText {
    static func isProxy(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !FieldRules.hasControls(text), !bytes.contains(0x20) else { return false }
        var rest = bytes[...]
        for scheme in ["http", "https", "socks4a", "socks5", "socks5h"] where text.hasPrefix("\(scheme)://") {
            rest = bytes[(scheme.utf8.count + 3)...]
        }
        if let at = rest.lastIndex(of: 0x40) { rest = rest[(at + 1)...] }
        while rest.last == 0x2F { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: 0x3A), colon > rest.startIndex else { return false }
        let port = rest[(colon + 1)...]
        return !port.isEmpty && port.allSatisfy(ASCII.isDigit)
            && (1...65_535).contains(Int(String(decoding: port.prefix(6), as: UTF8.self)) ?? 0)
    }
}
