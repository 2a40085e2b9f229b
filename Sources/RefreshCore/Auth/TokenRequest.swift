/// What a token endpoint is asked, in values (RFC 6749, 4.4.2 and 6).
package struct TokenRequest: Sendable, Equatable {
    /// The form of the body.
    package let fields: [Field]
    /// The `Authorization` field of a client that names itself there; nil where the form does.
    package let authorization: String?

    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// - Parameters:
    ///   - clientID: read from its source, as the secret is.
    ///   - refreshToken: of the `refresh_token` grant alone.
    ///   - extra: further fields of the file.
    package init(
        _ plan: OAuth2Plan, clientID: String, clientSecret: String?, refreshToken: String?,
        extra: [Field] = []
    ) {
        var fields = [Field("grant_type", plan.grant.rawValue)]
        if plan.grant == .refreshToken, let refreshToken {
            fields.append(Field("refresh_token", refreshToken))
        }
        if !plan.scopes.isEmpty { fields.append(Field("scope", plan.scopes.joined(separator: " "))) }
        if let audience = plan.audience { fields.append(Field("audience", audience)) }
        switch plan.clientAuth {
        case .basic:
            // Both are form-encoded first, which most clients forget (2.3.1).
            let pair =
                "\(PercentText.formEncoded(clientID)):\(PercentText.formEncoded(clientSecret ?? ""))"
            authorization = "Basic \(Base64.encode(Array(pair.utf8)))"
        case .body:
            authorization = nil
            fields.append(Field("client_id", clientID))
            if let clientSecret { fields.append(Field("client_secret", clientSecret)) }
        }
        self.fields = fields + extra
    }

    /// `application/x-www-form-urlencoded`.
    package var body: [UInt8] { Array(PercentText.form(fields.map { ($0.name, $0.value) }).utf8) }
}
