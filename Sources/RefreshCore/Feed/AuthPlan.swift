/// How a feed proves to its upstream who asks.
package enum AuthPlan: Hashable, Sendable {
    case none
    case basic(user: SecretSource, password: SecretSource)
    case digest(user: SecretSource, password: SecretSource)
    case bearer(token: SecretSource)
    case apiKey(APIKeyPlan)
    case oauth2(OAuth2Plan)
    case session(SessionPlan)
}

/// A key sent with every request.
package struct APIKeyPlan: Hashable, Sendable {
    package let value: SecretSource
    package let place: CredentialPlace
    /// Stands before the key.
    package let prefix: String

    package init(value: SecretSource, place: CredentialPlace, prefix: String = "") {
        self.value = value
        self.place = place
        self.prefix = prefix
    }
}

package enum CredentialPlace: Hashable, Sendable {
    case header(String)
    case param(String)
    case cookie(String)
}

/// Tokens from a token endpoint (RFC 6749).
package struct OAuth2Plan: Hashable, Sendable {
    package enum Grant: String, Hashable, Sendable, CaseIterable {
        case clientCredentials = "client_credentials"
        case refreshToken = "refresh_token"
    }

    /// Where the client names itself (RFC 6749, 2.3.1).
    package enum ClientAuth: String, Hashable, Sendable, CaseIterable { case body, basic }

    package var grant: Grant
    package var tokenURL: WebURL
    package var clientID: SecretSource
    package var clientSecret: SecretSource?
    /// The first one; later ones come from the endpoint and are stored.
    package var refreshToken: SecretSource?
    package var scopes: [String] = []
    package var audience: String?
    package var clientAuth = ClientAuth.body
    /// How long before its end a token is renewed.
    package var early: Duration = .seconds(60)
    /// Further form fields, by name.
    package var extra: [Param] = []

    package init(grant: Grant, tokenURL: WebURL, clientID: SecretSource) {
        self.grant = grant
        self.tokenURL = tokenURL
        self.clientID = clientID
    }
}

/// A login request whose answer holds a token.
package struct SessionPlan: Hashable, Sendable {
    package enum TokenPlace: Hashable, Sendable {
        case body(JSONPath)
        case header(String)
        case cookie(String)
    }

    package var login: RequestPlan
    package var token: TokenPlace
    package var send: CredentialPlace
    package var prefix = ""
    /// How long a session is used; nil is until the upstream refuses it.
    package var ttl: Duration?

    package init(login: RequestPlan, token: TokenPlace, send: CredentialPlace) {
        self.login = login
        self.token = token
        self.send = send
    }
}
