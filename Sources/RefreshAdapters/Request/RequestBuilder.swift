import RefreshCore
import RefreshTransfer

/// Makes the requests of a feed: its plan with the values of the moment in their places.
package struct RequestBuilder: Sendable {
    /// How one value travels.
    package struct Sending: Sendable, Equatable {
        package let place: SendPlace
        package let value: ScalarValue

        package init(_ place: SendPlace, _ value: ScalarValue) {
            self.place = place
            self.value = value
        }
    }

    /// Reads a secret at each use; throws what the feed's status then shows.
    package typealias Secrets = @Sendable (SecretSource) throws(RefreshFailure) -> String

    private let plan: RequestPlan
    private let userAgent: String
    private let accept: String
    private let secrets: Secrets

    /// - Parameter accept: the media types asked for where the configuration names none.
    package init(
        _ plan: RequestPlan, userAgent: String, accept: String,
        secrets: @escaping Secrets = RequestBuilder.literalSecrets
    ) {
        self.plan = plan
        self.userAgent = userAgent
        self.accept = accept
        self.secrets = secrets
    }

    /// Knows only what stands in the file itself.
    package static let literalSecrets: Secrets = { (source) throws(RefreshFailure) in
        guard case .literal(let text) = source else {
            throw RefreshFailure(
                .config, code: "secret-unreadable", detail: "\(source.display) cannot be read")
        }
        return text
    }

    /// The request with `values` for its placeholders and `sendings` in their places.
    ///
    /// - Parameters:
    ///   - link: where an upstream said that the list goes on; it is used as given, and of the parameters only those
    ///     that it does not name are added.
    ///   - effective: what a permanent redirect has put in the place of the configured URL (policy RD3).
    ///   - without: names of parameters that are left out (`alone`).
    package func request(
        _ values: RequestValues, sending sendings: [Sending] = [], link: WebURL? = nil,
        at effective: WebURL? = nil, without: [String] = [], validators: Validators = Validators(),
        within longest: Duration? = nil
    ) throws(RefreshFailure) -> TransferRequest {
        var limits = plan.limits
        if let longest { limits.total = min(limits.total, longest) }
        let (body, contentType) = try body(values, sendings)
        let base = if let link { link } else { try base(values, effective) }
        return TransferRequest(
            url: url(values, sendings, base: base, isLink: link != nil, without),
            headers: try headers(values, sendings, contentType: contentType), validators: validators,
            limits: limits, allowPrivate: plan.allowPrivate, userAgent: userAgent, method: plan.method,
            body: body, unixSocket: plan.unixSocket)
    }

    // MARK: - URL

    private func url(
        _ values: RequestValues, _ sendings: [Sending], base: WebURL, isLink: Bool, _ without: [String]
    ) -> WebURL {
        var query = QueryList(base.query)
        let own = query
        for param in plan.params where !own.contains(param.name) && !without.contains(param.name) {
            if let value = values.text(param.value) { query.append(param.name, value) }
        }
        if !isLink {
            for name in without { query.remove(name) }
            for sending in sendings {
                if case .param(let name) = sending.place { query.set(name, sending.value.text) }
            }
        }
        return WebURL(
            scheme: base.scheme, host: base.host, port: base.port, path: base.path, query: query.text)
    }

    private func base(_ values: RequestValues, _ effective: WebURL?) throws(RefreshFailure) -> WebURL {
        guard let template = plan.urlTemplate else { return effective ?? plan.url }
        let text = try URLText(template, values).text
        let url: WebURL
        do {
            url = try WebURL(parsing: text)
        } catch {
            throw refusal("the URL with its values filled in is none: \(error.message)")
        }
        // Placeholders stand behind the origin; should one ever get before it, nothing is sent.
        guard url.origin == plan.url.origin else { throw refusal("the URL leads to another origin") }
        return url
    }

    private func refusal(_ what: String) -> RefreshFailure {
        RefreshFailure(.config, code: "request-refused", detail: what)
    }

    // MARK: - Head

    private func headers(
        _ values: RequestValues, _ sendings: [Sending], contentType: String?
    ) throws(RefreshFailure) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var sent = sendings
        for field in plan.headers {
            if let place = sent.firstIndex(where: { isHeader($0.place, field.name) }) {
                try append(field.name, sent.remove(at: place).value.text, to: &headers)
                continue
            }
            switch field.value {
            case .template(let template):
                if let value = values.text(template) { try append(field.name, value, to: &headers) }
            case .secret(let source): try append(field.name, try secrets(source), to: &headers)
            }
        }
        for sending in sent {
            if case .header(let name) = sending.place { try append(name, sending.value.text, to: &headers) }
        }
        if headers.first("accept") == nil { headers.append("Accept", accept) }
        if let contentType, headers.first("content-type") == nil {
            headers.append("Content-Type", contentType)
        }
        return headers
    }

    private func isHeader(_ place: SendPlace, _ name: String) -> Bool {
        guard case .header(let other) = place else { return false }
        return ASCII.equalIgnoringCase(name.utf8, other.utf8)
    }

    private func append(
        _ name: String, _ value: String, to headers: inout HTTPHeaders
    ) throws(RefreshFailure) {
        // A value of an upstream's, such as a cursor, must not end the line and begin another (RFC 9110, 5.5).
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw refusal("the value for the header \"\(name)\" holds a control character")
        }
        headers.append(name, value)
    }

    // MARK: - Body

    private func body(
        _ values: RequestValues, _ sendings: [Sending]
    ) throws(RefreshFailure) -> ([UInt8]?, String?) {
        let members = sendings.compactMap { sending -> (JSONPath, ScalarValue)? in
            guard case .body(let path) = sending.place else { return nil }
            return (path, sending.value)
        }
        switch plan.body {
        case .form(let fields):
            var form = QueryList(nil)
            for field in fields {
                if let value = values.text(field.value) { form.append(field.name, value) }
            }
            return (Array((form.text ?? "").utf8), "application/x-www-form-urlencoded")
        case .text(let template):
            return (Array(values.lenientText(template).utf8), "text/plain; charset=utf-8")
        case .json(let template):
            return (try json(BodyTree(template, values) ?? .object([]), members), "application/json")
        case nil where members.isEmpty: return (nil, nil)
        case nil: return (try json(.object([]), members), "application/json")
        }
    }

    private func json(
        _ tree: BodyTree, _ members: [(JSONPath, ScalarValue)]
    ) throws(RefreshFailure) -> [UInt8] {
        var tree = tree
        for (path, value) in members {
            guard let steps = path.steps, tree.set(value, at: steps[...]) else {
                throw refusal("the body has no place \(path.text)")
            }
        }
        return tree.bytes
    }
}
