import RefreshCore

/// The keys of a request, which differ by what it is for only in what can be filled in.
struct RequestTable: Sendable {
    let url: Key<DraftTemplate>
    let params: Key<[DraftParam]>
    let headers: Key<[DraftHeader]>
    let body: Key<Section>
    let json: Key<DraftJSON>
    let form: Key<[DraftParam]>
    let text: Key<DraftTemplate>
    let block: Block

    static let list = RequestTable(.list)
    static let byID = RequestTable(.byID)
    static let action = RequestTable(.action, needsURL: true)
    static let lookup = RequestTable(.lookup, needsURL: true)
    static let login = RequestTable(.login, needsURL: true)

    private init(_ role: RequestRole, needsURL: Bool = false) {
        url = Key(
            "url", .requestURL(role), required: needsURL ? AdapterKind.all : [],
            "What is fetched; placeholders may stand behind the host.")
        params = Key("params", .params(role), "Parameters that are added to the URL's query, by name.")
        headers = Key("headers", .headers(role), "Header fields that are sent along, by name.")
        json = Key("json", .json(role), "A value that is sent as JSON.")
        form = Key("form", .params(role), "Fields that are sent as a form.")
        text = Key("text", .template(role), "A text that is sent as it is.")
        body = Key(
            "body", .block(Block([json.entry, form.entry, text.entry], oneOf: ["json", "form", "text"])),
            "What is sent: one of the three.")
        block = Block([
            url.entry, RequestTable.method.entry, params.entry, headers.entry, body.entry,
            RequestTable.timeout.entry, RequestTable.stall.entry, RequestTable.connect.entry,
            RequestTable.redirects.entry, RequestTable.cookies.entry, RequestTable.conditional.entry,
            RequestTable.tls.entry, RequestTable.proxy.entry, RequestTable.unix.entry,
            RequestTable.revalidateFullAfter.entry,
        ])
    }

    private static let standard = TransferLimits()
    private static let plan = RequestPlan(
        url: WebURL(scheme: .https, host: "host.invalid", port: nil, path: "/", query: nil))

    enum Redirects {
        static let max = DefaultedKey(
            "max", .whole(0...100), default: standard.hops, "Redirects followed for one answer.")
        static let crossOrigin = DefaultedKey(
            "cross_origin", .word, default: plan.crossOrigin,
            "What a redirect to another origin means: `drop_auth` follows without credentials, cookies and header fields of this file."
        )

        static let block = Block([max.entry, crossOrigin.entry])
    }

    enum TLS {
        static let ca = Key("ca", .filePath, note: "those of the system", "Certificates to trust, in PEM.")
        static let cert = Key("cert", .filePath, "The client's certificate, in PEM.")
        static let key = Key("key", .secret, "The client's private key, in PEM.")
        static let verify = DefaultedKey(
            "verify", .flag, default: plan.tls.verify, "Whether the upstream's certificate is checked.")

        static let block = Block([ca.entry, cert.entry, key.entry, verify.entry])
    }

    static let method = DefaultedKey("method", .method, default: plan.method, "The method.")
    static let timeout = DefaultedKey(
        "timeout", .duration(FeedTable.patience), default: standard.total,
        "How long one request may take in all.")
    static let stall = DefaultedKey(
        "stall", .duration(.seconds(1) ... .seconds(3_600)), default: standard.stall,
        "How long an answer may come slower than 100 bytes a second.")
    static let connect = DefaultedKey(
        "connect", .duration(FeedTable.patience), default: standard.connect, "How long connecting may take.")
    static let redirects = Key("redirects", .block(Redirects.block), "How redirects are followed.")
    static let cookies = DefaultedKey(
        "cookies", .word, default: plan.cookies, "Whether cookies are kept while the daemon runs.")
    static let conditional = DefaultedKey(
        "conditional", .word, default: plan.conditional, "Whether it is asked only for what changed.")
    static let tls = Key("tls", .block(TLS.block), "Certificates.")
    static let proxy = Key(
        "proxy", .secret, note: "none, whatever the environment says",
        "The URL of a proxy, with user and password where it wants them.")
    static let unix = Key(
        "unix", .socketPath, "A Unix socket to connect to, in the place of the URL's host.")
    static let revalidateFullAfter = DefaultedKey(
        "revalidate_full_after", .duration(.seconds(60)...FeedTable.year),
        default: plan.revalidateFullAfter, "A full answer is asked for at least this often.")
}
