import RefreshCore

/// The keys of `auth`.
enum AuthTable {
    private static func needed<Value>(_ name: String, _ form: Form<Value>, _ summary: String) -> Key<Value> {
        Key(name, form, required: AdapterKind.all, summary)
    }

    static let user = needed("user", .publicSecret, "The user's name.")
    static let password = needed("password", .secret, "The password.")
    static let token = needed("token", .secret, "The token.")

    /// Where a credential stands in a request: one of the three.
    enum Place {
        static let header = Key("header", .token, "The header field that it stands in.")
        static let param = Key("param", .text, "The parameter of the query that it stands in.")
        static let cookie = Key("cookie", .token, "The cookie that it stands in.")
        static let prefix = Key("prefix", .text, "Stands before it, such as `Token `.")

        static let entries = [header.entry, param.entry, cookie.entry, prefix.entry]
        static let places = [header.entry.name, param.entry.name, cookie.entry.name]
    }

    static let value = needed("value", .secret, "The key.")

    enum OAuth2 {
        static let grant = needed(
            "grant", .word as Form<OAuth2Plan.Grant>, "How tokens are asked for (RFC 6749, 4.4 and 6).")
        static let tokenURL = needed("token_url", .url, "The token endpoint.")
        static let clientID = needed("client_id", .publicSecret, "The client's name.")
        static let clientSecret = Key("client_secret", .secret, "The client's secret.")
        static let refreshToken = Key(
            "refresh_token", .secret, "The first refresh token; later ones are stored.")
        static let scopes = Key("scopes", .texts, "Scopes that are asked for.")
        static let audience = Key("audience", .text, "The audience that is asked for.")
        static let clientAuth = DefaultedKey(
            "client_auth", .word, default: OAuth2Plan.ClientAuth.body,
            "Where the client names itself: in the form, or as `basic` authentication.")
        static let early = DefaultedKey(
            "early", .duration(.zero ... .seconds(86_400)), default: .seconds(60),
            "How long before its end a token is renewed.")
        static let extra = Key("extra", .params(.login), "Further fields of the form, by name.")

        static let entries = [
            grant.entry, tokenURL.entry, clientID.entry, clientSecret.entry, refreshToken.entry,
            scopes.entry, audience.entry, clientAuth.entry, early.entry, extra.entry,
        ]
    }

    enum Session {
        static let login = needed("login", .block(RequestTable.login.block), "The request that logs in.")
        static let token = needed("token", .tokenPlace, "Where its answer has the token.")
        static let send = needed(
            "send", .block(Block(Place.entries, oneOf: Place.places)),
            "Where the token stands in later requests.")
        static let ttl = Key(
            "ttl", .duration(.seconds(1)...FeedTable.year), note: "until the upstream refuses it",
            "How long a session is used.")

        static let entries = [login.entry, token.entry, send.entry, ttl.entry]
    }

    static let choice = Choice([
        .init("none", "Nothing is proved."),
        .init("basic", "User and password (RFC 7617).", [user.entry, password.entry]),
        .init("digest", "User and password, hashed (RFC 7616).", [user.entry, password.entry]),
        .init("bearer", "A token (RFC 6750).", [token.entry]),
        .init(
            "api_key", "A key in a header field, a parameter or a cookie.", [value.entry] + Place.entries,
            oneOf: Place.places),
        .init("oauth2", "Tokens from a token endpoint (RFC 6749).", OAuth2.entries),
        .init("session", "A token from a login.", Session.entries),
    ])
}
