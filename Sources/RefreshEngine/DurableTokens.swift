import RefreshCore
import RefreshStore
import RefreshTransfer

/// Keeps rotated refresh tokens where a power cut cannot take them back.
package struct DurableTokens: TokenStore {
    private let store: DurableStore
    private let time: any TimeSource

    package init(_ store: DurableStore, time: any TimeSource) {
        self.store = store
        self.time = time
    }

    package func load(_ credential: CredentialID) async throws(RefreshFailure) -> String? {
        do throws(StoreFailure) {
            let pair = try await store.load(credential.text, in: .tokens)
            return pair.map { String(decoding: $0.value, as: UTF8.self) }
        } catch {
            throw RefreshFailure(.internal, code: error.code, detail: error.detail)
        }
    }

    package func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure) {
        let pair = DurableStore.Pair(
            name: credential.text, value: Array(refreshToken.utf8), updatedAt: time.now().wall)
        do throws(StoreFailure) {
            try await store.save(pair, in: .tokens)
        } catch {
            throw RefreshFailure(.internal, code: error.code, detail: error.detail)
        }
    }
}

/// Keeps nothing: after a restart, tokens begin with what the file says.
package struct ForgottenTokens: TokenStore {
    package init() {}
    package func load(_ credential: CredentialID) async throws(RefreshFailure) -> String? { nil }
    package func save(_ refreshToken: String, for credential: CredentialID) async throws(RefreshFailure) {}
}
