import RefreshCore

/// Why a secret cannot be read; names its source and never its value.
package enum SecretFailure: Error, Equatable, Sendable {
    case missing(source: String)
    case unreadable(source: String, reason: String)
    case tooLarge(source: String, limit: ByteCount)
    case empty(source: String)
    /// A control character where a header or a URL needs text.
    case notText(source: String)
    /// It is no proxy; `reason` quotes nothing of it.
    case noProxy(source: String, reason: String)
}

extension SecretFailure {
    /// The same as a feed keeps it.
    package var failure: RefreshFailure { RefreshFailure(.config, code: code, detail: detail) }

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .missing: "secret-missing"
        case .unreadable: "secret-unreadable"
        case .tooLarge: "secret-too-large"
        case .empty: "secret-empty"
        case .notText: "secret-not-text"
        case .noProxy: "bad-proxy"
        }
    }

    private var detail: String {
        switch self {
        case .missing(let source): "\(source) is not there"
        case .unreadable(let source, let reason): "\(source) cannot be read: \(reason)"
        case .tooLarge(let source, let limit): "\(source) holds more than \(limit.bytes) bytes"
        case .empty(let source): "\(source) is empty"
        case .notText(let source): "\(source) holds bytes that are no line of text"
        case .noProxy(let source, let reason): "\(source) names no proxy: \(reason)"
        }
    }
}
