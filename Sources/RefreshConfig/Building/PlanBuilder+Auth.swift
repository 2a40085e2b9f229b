import RefreshCore

extension PlanBuilder {
    mutating func auth(_ context: FeedContext) -> AuthPlan {
        let section = context.section[block: FeedTable.auth]
        let path = context.path(FeedTable.auth)
        if let kind = section.kind, ["basic", "digest", "bearer", "oauth2"].contains(kind) {
            note(.header("authorization"), at: section.place, path)
        }
        switch section.kind {
        case "basic", "digest":
            guard let user = section[AuthTable.user], let password = section[AuthTable.password] else {
                return .none
            }
            return section.kind == "basic"
                ? .basic(user: user, password: password) : .digest(user: user, password: password)
        case "bearer": return section[AuthTable.token].map { .bearer(token: $0) } ?? .none
        case "api_key":
            guard let value = section[AuthTable.value], let place = credentialPlace(section, context, path)
            else { return .none }
            return .apiKey(
                APIKeyPlan(value: value, place: place, prefix: section[AuthTable.Place.prefix] ?? ""))
        case "oauth2": return oauth2(section, context, path).map { .oauth2($0) } ?? .none
        case "session": return session(section, context, path).map { .session($0) } ?? .none
        default: return .none
        }
    }

    private mutating func credentialPlace(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> CredentialPlace? {
        typealias Keys = AuthTable.Place
        guard let name = Keys.places.first(where: { section[$0] != nil }), let setting = section[name] else {
            return nil
        }
        let here = path + [name]
        if let header = section[Keys.header] {
            if FieldRules.isOurs(header) {
                let message = "\"\(header)\" is set by refreshd itself; take another"
                problems.add(.badValue, at: setting.place, here, message)
            }
            note(.header(header.lowercased()), at: setting.place, here)
            return .header(header)
        }
        if let param = section[Keys.param] {
            note(.param(param), at: setting.place, here)
            return .param(param)
        }
        return section[Keys.cookie].map { .cookie($0) }
    }

    private mutating func oauth2(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> OAuth2Plan? {
        typealias Keys = AuthTable.OAuth2
        guard let grant = section[Keys.grant], let url = section[Keys.tokenURL],
            let client = section[Keys.clientID]
        else { return nil }
        var plan = OAuth2Plan(grant: grant, tokenURL: url, clientID: client)
        plan.clientSecret = section[Keys.clientSecret]
        plan.refreshToken = section[Keys.refreshToken]
        plan.scopes = section[Keys.scopes] ?? []
        plan.audience = section[Keys.audience]
        plan.clientAuth = section[Keys.clientAuth]
        plan.early = section[Keys.early]
        plan.extra = section[Keys.extra].flatMap { params($0, context, path + ["extra"]) } ?? []
        let needed = grant == .refreshToken ? Keys.refreshToken.entry : Keys.clientSecret.entry
        if !section.mentions(needed.name) {
            let message = "\"grant: \(grant.rawValue)\" needs \"\(needed.name)\""
            problems.add(.missingKey, at: section.place, path, message)
        }
        if grant == .clientCredentials, let setting = section[Keys.refreshToken.entry.name] {
            let message = "\"grant: client_credentials\" has no refresh token; remove it"
            problems.add(.conflict, at: setting.keyPlace, path + [Keys.refreshToken.entry.name], message)
        }
        if plan.clientAuth == .basic, plan.clientSecret == nil,
            let setting = section[Keys.clientAuth.entry.name]
        {
            let message = "\"basic\" needs \"client_secret\""
            problems.add(.conflict, at: setting.place, path + [Keys.clientAuth.entry.name], message)
        }
        return plan
    }

    private mutating func session(
        _ section: Section, _ context: FeedContext, _ path: [String]
    ) -> SessionPlan? {
        typealias Keys = AuthTable.Session
        let send = section[Keys.send].flatMap {
            credentialPlace($0, context, path + [Keys.send.entry.name])
        }
        guard let login = section[Keys.login],
            let request = request(login, .login, context, path + [Keys.login.entry.name]),
            let token = section[Keys.token], let send
        else { return nil }
        var plan = SessionPlan(login: request, token: token, send: send)
        plan.prefix = section[block: Keys.send][AuthTable.Place.prefix] ?? ""
        plan.ttl = section[Keys.ttl]
        return plan
    }
}
