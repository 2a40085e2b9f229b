import RefreshCore

/// What proves to an origin who asks: sent to the origin that the file names, and to nobody behind a redirect.
package struct Credentials: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Each stands in the place of the file's own field of that name.
    package var headers: [Pair] = []
    /// Added to the query when the request is sent, and in no URL that is told of.
    package var params: [Pair] = []
    package var cookies: [Pair] = []
    /// User and password for a digest challenge (RFC 7616), which libcurl answers.
    package var digest: Pair?

    package init() {}

    /// For HTTP basic authentication (RFC 7617); a user name must not hold a colon.
    package static func basic(user: String, password: String) -> Credentials {
        header("Authorization", "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))")
    }

    package static func header(_ name: String, _ value: String) -> Credentials {
        var credentials = Credentials()
        credentials.headers = [Pair(name, value)]
        return credentials
    }

    package static func param(_ name: String, _ value: String) -> Credentials {
        var credentials = Credentials()
        credentials.params = [Pair(name, value)]
        return credentials
    }

    package static func cookie(_ name: String, _ value: String) -> Credentials {
        var credentials = Credentials()
        credentials.cookies = [Pair(name, value)]
        return credentials
    }

    package static func digest(user: String, password: String) -> Credentials {
        var credentials = Credentials()
        credentials.digest = Pair(user, password)
        return credentials
    }

    /// A value in the place that the file names.
    package init(_ place: CredentialPlace, _ value: String) {
        switch place {
        case .header(let name): headers = [Pair(name, value)]
        case .param(let name): params = [Pair(name, value)]
        case .cookie(let name): cookies = [Pair(name, value)]
        }
    }

    /// Takes `others` along.
    mutating func add(_ others: Credentials) {
        headers += others.headers
        params += others.params
        cookies += others.cookies
        digest = others.digest ?? digest
    }
}
