import RefreshCore

/// What tells one credential's tokens from another's, in every run of the daemon.
package struct CredentialID: Hashable, Sendable {
    /// 16 hexadecimal digits.
    package let text: String

    /// A hash of `parts`; they may be secret, since the hash stays beside the token itself.
    package init(of parts: [String]) {
        let hash = FNV.hash64(parts.flatMap { Array($0.utf8) + [0] })
        let digits = String(hash, radix: 16)
        text = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// Where rotated refresh tokens survive the process: the upstream will not give them again.
package protocol TokenStore: Sendable {
    /// The token that was saved last; nil where there is none.
    func load(_ credential: CredentialID) async throws(RefreshFailure) -> String?

    /// Returns when `refreshToken` is on the disk and a power cut cannot take it back.
    func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure)
}
