/// What a feed shows its upstream until it expires.
package struct AccessToken: Sendable, Equatable {
    package let value: String
    /// The scheme of its `Authorization` field, `Bearer` as a rule.
    package let scheme: String
    /// From when on it is not used any more; nil is until it is refused.
    package let expires: BootTime?

    package init(value: String, scheme: String = "Bearer", expires: BootTime? = nil) {
        self.value = value
        self.scheme = scheme
        self.expires = expires
    }

    func isUsable(at now: BootTime) -> Bool { expires.map { now < $0 } ?? true }
}

/// What an endpoint granted.
package struct TokenGrant: Sendable, Equatable {
    package let value: String
    package let scheme: String
    /// Nil where the endpoint does not say.
    package let lifetime: Duration?
    /// Takes the place of the one that was sent; nil leaves that as it is (RFC 6749, 6).
    package let refreshToken: String?

    package init(
        value: String, scheme: String = "Bearer", lifetime: Duration? = nil, refreshToken: String? = nil
    ) {
        self.value = value
        self.scheme = scheme
        self.lifetime = lifetime
        self.refreshToken = refreshToken
    }
}
