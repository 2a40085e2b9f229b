/// What the answer of a token endpoint means (RFC 6749, 5.1 and 5.2).
package enum TokenAnswer {
    private static let longestLife: Int64 = 10 * 365 * 86_400

    /// - Parameters:
    ///   - retryAfter: how long the endpoint asks to be left alone.
    ///   - member: the value of a member of the JSON object in the body, as text; nil where there is none.
    package static func read(
        status: Int, retryAfter: Duration?, member: (String) -> String?
    ) -> Result<TokenGrant, RefreshFailure> {
        if status == 429 || (status == 503 || status == 403) && retryAfter != nil {
            return .failure(
                failure(.rate, "http-\(status)", "asks for a pause", status: status, retryAfter: retryAfter))
        }
        if status >= 500 || status == 408 || status == 425 {
            return .failure(failure(.transient, "http-\(status)", "failed", status: status))
        }
        // Some endpoints say 200 and mean no.
        if let error = member("error"), !error.isEmpty {
            return .failure(refusal(error, member("error_description"), status: status))
        }
        guard (200..<300).contains(status) else {
            let kind: RefreshFailure.Class = [400, 401, 403].contains(status) ? .auth : .upstream
            return .failure(failure(kind, "http-\(status)", "refuses the request", status: status))
        }
        guard let token = member("access_token"), !token.isEmpty else {
            return .failure(
                failure(.data, "token-missing", "answers without an \"access_token\"", status: status))
        }
        return .success(
            TokenGrant(
                value: token, scheme: scheme(member("token_type")), lifetime: lifetime(member("expires_in")),
                refreshToken: member("refresh_token").flatMap { $0.isEmpty ? nil : $0 }))
    }

    private static func refusal(_ error: String, _ words: String?, status: Int) -> RefreshFailure {
        // The alphabet of 5.2 is wider; a code of ours is a word.
        let word = String(decoding: error.utf8.prefix(40).map(wordByte), as: UTF8.self)
        let kind: RefreshFailure.Class =
            switch error {
            case "temporarily_unavailable", "server_error": .transient
            case "slow_down": .rate
            default: .auth
            }
        let reason = words.map { ": \(SafeText.short($0, limit: 200))" } ?? ""
        return failure(kind, "oauth-\(word)", "says \"\(SafeText.short(error))\"\(reason)", status: status)
    }

    private static func wordByte(_ byte: UInt8) -> UInt8 {
        let lower = ASCII.lowercased(byte)
        return (0x61...0x7A).contains(lower) || ASCII.isDigit(lower) ? lower : UInt8(ascii: "-")
    }

    private static func failure(
        _ kind: RefreshFailure.Class, _ code: String, _ what: String, status: Int,
        retryAfter: Duration? = nil
    ) -> RefreshFailure {
        RefreshFailure(
            kind, code: code, detail: "the token endpoint \(what) (status \(status))", status: status,
            retryAfter: retryAfter)
    }

    /// Types compare without case (5.1); one that is no word could end the header line.
    private static func scheme(_ type: String?) -> String {
        guard let type, !type.isEmpty, !ASCII.equalIgnoringCase(type.utf8, "bearer".utf8),
            type.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F })
        else { return "Bearer" }
        return type
    }

    /// Seconds, as a number or in a string; what is no such thing is as if absent.
    private static func lifetime(_ text: String?) -> Duration? {
        guard let whole = text?.prefix(while: { $0 != "." }), !whole.isEmpty,
            whole.utf8.allSatisfy(ASCII.isDigit)
        else { return nil }
        return .seconds(min(Int64(whole) ?? longestLife, longestLife))
    }
}
