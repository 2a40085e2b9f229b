/// What is asked of an upstream, and the bounds of its answer.
package struct RequestPlan: Sendable, Hashable {
    /// What a redirect to another origin means.
    package enum CrossOrigin: String, Sendable, Hashable, CaseIterable {
        /// Followed, without credentials, cookies, client certificate and header fields of the file but `accept`.
        case dropAuth = "drop_auth"
        case deny
    }

    package enum Cookies: String, Sendable, Hashable, CaseIterable { case off, memory }
    package enum Conditional: String, Sendable, Hashable, CaseIterable { case auto, off }

    /// With its placeholders where it has any; those stand behind the origin, which is the feed's for good.
    package var url: WebURL
    /// Nil where `url` has no placeholder.
    package var urlTemplate: Template?
    /// What feeds of one upstream mostly have alike.
    package var rest: Shared<Rest>

    package struct Rest: Sendable, Hashable {
        package var method = "GET"
        /// Appended to the query of the URL.
        package var params: [Param] = []
        package var headers: [HeaderPlan] = []
        package var body: BodyPlan?
        package var cookies = Cookies.off
        package var crossOrigin = CrossOrigin.dropAuth
        package var conditional = Conditional.auto
        package var tls = TLSPlan()
        /// Nil is none, whatever the environment says.
        package var proxy: ProxyPlan?
        /// The path of a Unix socket to connect to, in the place of the URL's host.
        package var unixSocket: String?
        /// A full answer is asked for at least this often (refresh policy V4).
        package var revalidateFullAfter: Duration = .seconds(8 * 86_400)
        /// May it reach private, loopback and link-local addresses?
        package var allowPrivate = false
        package var limits = TransferLimits()

        package init() {}
    }

    package init(
        url: WebURL, headers: HTTPHeaders = HTTPHeaders(), allowPrivate: Bool = false,
        limits: TransferLimits = TransferLimits()
    ) {
        self.url = url
        var rest = Rest()
        rest.headers = headers.fields.map {
            HeaderPlan(name: $0.name, value: .template(Template($0.value)))
        }
        rest.allowPrivate = allowPrivate
        rest.limits = limits
        self.rest = Shared(rest)
    }

    /// The secrets that stand in its parameters and its body, as those of logins do.
    package var secrets: [SecretSource] {
        let templates = params.map(\.value) + (body?.templates ?? [])
        return templates.flatMap(\.placeholders).compactMap {
            if case .secret(let source) = $0 { source } else { nil }
        }
    }

    /// The fields that are the same in every request.
    package var constantHeaders: HTTPHeaders {
        var constant = HTTPHeaders()
        for field in headers {
            guard case .template(let template) = field.value, let value = template.literal else { continue }
            constant.append(field.name, value)
        }
        return constant
    }
}

extension RequestPlan {
    package var method: String {
        @inlinable get { rest.value.method }
        set { change { $0.method = newValue } }
    }
    package var params: [Param] {
        @inlinable get { rest.value.params }
        set { change { $0.params = newValue } }
    }
    package var headers: [HeaderPlan] {
        @inlinable get { rest.value.headers }
        set { change { $0.headers = newValue } }
    }
    package var body: BodyPlan? {
        @inlinable get { rest.value.body }
        set { change { $0.body = newValue } }
    }
    package var cookies: Cookies {
        @inlinable get { rest.value.cookies }
        set { change { $0.cookies = newValue } }
    }
    package var crossOrigin: CrossOrigin {
        @inlinable get { rest.value.crossOrigin }
        set { change { $0.crossOrigin = newValue } }
    }
    package var conditional: Conditional {
        @inlinable get { rest.value.conditional }
        set { change { $0.conditional = newValue } }
    }
    package var tls: TLSPlan {
        @inlinable get { rest.value.tls }
        set { change { $0.tls = newValue } }
    }
    package var proxy: ProxyPlan? {
        @inlinable get { rest.value.proxy }
        set { change { $0.proxy = newValue } }
    }
    package var unixSocket: String? {
        @inlinable get { rest.value.unixSocket }
        set { change { $0.unixSocket = newValue } }
    }
    package var revalidateFullAfter: Duration {
        @inlinable get { rest.value.revalidateFullAfter }
        set { change { $0.revalidateFullAfter = newValue } }
    }
    package var allowPrivate: Bool {
        @inlinable get { rest.value.allowPrivate }
        set { change { $0.allowPrivate = newValue } }
    }
    package var limits: TransferLimits {
        @inlinable get { rest.value.limits }
        set { change { $0.limits = newValue } }
    }

    private mutating func change(_ body: (inout Rest) -> Void) {
        var rest = rest.value
        body(&rest)
        self.rest = Shared(rest)
    }
}

/// A parameter of a query or a field of a form.
package struct Param: Sendable, Hashable {
    package let name: String
    package let value: Template

    package init(name: String, value: Template) {
        self.name = name
        self.value = value
    }
}

package struct HeaderPlan: Sendable, Hashable {
    package let name: String
    package let value: FieldText

    package init(name: String, value: FieldText) {
        self.name = name
        self.value = value
    }
}

package enum BodyPlan: Sendable, Hashable {
    case json(JSONTemplate)
    case form([Param])
    case text(Template)

    /// Every text in it that may have placeholders.
    package var templates: [Template] {
        switch self {
        case .json(let json): json.templates
        case .form(let fields): fields.map(\.value)
        case .text(let template): [template]
        }
    }
}

package struct TLSPlan: Sendable, Hashable {
    /// Files in PEM; nil is the system's certificates.
    package var authorities: String?
    package var certificate: String?
    package var key: SecretSource?
    package var verify = true

    package init() {}
}

/// `scheme://[user:password@]host:port` of a proxy; it may hold a password, so it is a secret.
package struct ProxyPlan: Sendable, Hashable {
    package let url: SecretSource

    package init(url: SecretSource) { self.url = url }
}

/// What one request may cost at most (refresh policy 2.5).
package struct TransferLimits: Sendable, Hashable {
    package var connect: Duration = .seconds(10)
    /// An answer slower than `stallRate` for this long is given up.
    package var stall: Duration = .seconds(20)
    /// Bytes a second.
    package var stallRate = 100
    package var total: Duration = .seconds(60)
    /// Redirects followed.
    package var hops = 10
    /// Bytes of the body as sent.
    package var wire: ByteCount = .mebibytes(32)
    /// Bytes of the body after content decoding.
    package var decoded: ByteCount = .mebibytes(64)
    /// Bytes of all heads of one answer.
    package var head: ByteCount = .kibibytes(64)

    package init() {}
}
