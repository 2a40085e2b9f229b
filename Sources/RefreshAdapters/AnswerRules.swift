import RefreshCore
import RefreshFormats
import RefreshTransfer

/// What an upstream's status means, where the configuration says nothing else.
package enum AnswerRules {
    package enum Verdict: Sendable, Equatable {
        /// A body to be read.
        case content
        /// 204: a list without rows.
        case empty
        /// 304: what is cached still holds.
        case notModified
        case failed(RefreshFailure)
    }

    /// Judges an answer by its status and head (RFC 9110, 15; RFC 6585, 4).
    ///
    /// - Parameter conditional: whether validators were sent; a 304 to a request without any is a fault (F11).
    package static func verdict(
        status: Int, headers: HTTPHeaders, conditional: Bool, now: Timestamp
    ) -> Verdict {
        switch status {
        case 204: return .empty
        case 200..<300: return .content
        case 304 where conditional: return .notModified
        case 304: return .failed(refusal(.upstream, status, "304 to a request that was not conditional", nil))
        default:
            let retryAfter = headers.first("retry-after").flatMap { RetryAfter.parse($0, now: now) }
            return .failed(failure(status: status, retryAfter: retryAfter))
        }
    }

    private static func failure(status: Int, retryAfter: Duration?) -> RefreshFailure {
        switch status {
        case 401: refusal(.auth, status, "the upstream wants credentials, or other ones", nil)
        case 403 where retryAfter != nil: refusal(.rate, status, "the upstream asks for a pause", retryAfter)
        case 403: refusal(.auth, status, "the upstream forbids this request", nil)
        case 404: refusal(.upstream, status, "the upstream has nothing at this URL", nil)
        case 410: refusal(.upstream, status, "the upstream says that this URL is gone for good", nil)
        case 429: refusal(.rate, status, "too many requests, says the upstream", retryAfter)
        case 503: refusal(.transient, status, "the upstream is not available", retryAfter)
        case 408, 425:
            refusal(.transient, nil, "the upstream gave up on the request (\(status))", nil, code: status)
        case 500...: refusal(.transient, status, "the upstream failed", nil)
        default: refusal(.upstream, status, "the upstream refuses the request", nil)
        }
    }

    private static func refusal(
        _ class: RefreshFailure.Class, _ status: Int?, _ what: String, _ retryAfter: Duration?,
        code: Int? = nil
    ) -> RefreshFailure {
        let number = status ?? code ?? 0
        return RefreshFailure(
            `class`, code: "http-\(number)", detail: "\(what) (status \(number))", status: status,
            retryAfter: retryAfter)
    }

    /// The failure of a body that could not be read, with its beginning where it is no more than a page for people.
    static func unreadable(_ error: FormatFailure, _ answer: TransferAnswer, wanted: String) -> RefreshFailure
    {
        let type = answer.headers.first("content-type") ?? "no content type"
        let start = ASCII.trimmed(answer.body.content).prefix(200)
        guard start.first == UInt8(ascii: "<"), wanted == "JSON" || error.code == "not-a-feed" else {
            return RefreshFailure(.data, code: error.code, detail: error.detail)
        }
        return RefreshFailure(
            .data, code: error.code,
            detail:
                "\(wanted) was expected, and something else came (\(type)): \(String(decoding: start, as: UTF8.self))"
        )
    }
}
