import RefreshCore

extension TransferFailure {
    /// The same as a feed keeps it.
    package var failure: RefreshFailure {
        RefreshFailure(kind, code: code, detail: detail)
    }

    private var kind: RefreshFailure.Class {
        switch self {
        // A name that cannot be resolved may be this host's fault too: that shows only where several cannot (policy 2.3).
        case .noRoute: .offline
        case .resolve, .connectionRefused, .unreachable, .proxy, .connectTimeout, .stalled, .timeout, .tls,
            .reset,
            .cut:
            .transient
        case .tooLarge, .tooLargeDecoded, .headTooLarge, .unsupportedCoding, .badCoding, .protocolError: .data
        case .tooManyRedirects, .redirectLoop: .loop
        case .redirectRefused: .upstream
        case .addressRefused, .badRequest: .config
        case .noRoom, .cancelled, .stopped, .internal: .internal
        }
    }

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .resolve: "dns-failed"
        case .connectionRefused: "connection-refused"
        case .noRoute: "no-route"
        case .unreachable: "unreachable"
        case .proxy: "proxy-failed"
        case .connectTimeout: "connect-timeout"
        case .stalled: "stalled"
        case .timeout: "timeout"
        case .tls: "tls-failed"
        case .reset: "connection-reset"
        case .cut: "body-cut"
        case .tooLarge, .tooLargeDecoded: "body-too-large"
        case .headTooLarge: "head-too-large"
        case .tooManyRedirects: "too-many-redirects"
        case .redirectRefused: "redirect-refused"
        case .redirectLoop: "redirect-loop"
        case .addressRefused: "address-refused"
        case .unsupportedCoding: "unsupported-coding"
        case .badCoding: "bad-coding"
        case .protocolError: "protocol-error"
        case .noRoom: "no-room"
        case .badRequest: "bad-request"
        case .cancelled: "cancelled"
        case .stopped: "stopped"
        case .internal: "internal"
        }
    }

    private var detail: String {
        switch self {
        case .resolve(let host): "the name \(host) cannot be resolved"
        case .connectionRefused(let place): "\(place) refuses the connection"
        case .noRoute(let place): "this host has no network that leads to \(place)"
        case .proxy(let proxy, let reason): "the proxy \(proxy) makes no connection: \(reason)"
        case .unreachable(let place, let reason): "\(place) cannot be reached: \(reason)"
        case .connectTimeout(let place): "no connection to \(place) within \"connect\""
        case .stalled(let place): "\(place) sent next to nothing for as long as \"stall\" allows"
        case .timeout(let place): "\(place) did not finish within \"timeout\""
        case .tls(let place, let reason): "no trusted connection to \(place): \(reason)"
        case .reset(let place): "\(place) reset the connection"
        case .cut(let place, 0): "\(place) closed the connection without a whole answer"
        case .cut(let place, let received): "\(place) cut its answer short after \(received) bytes"
        case .tooLarge(let limit): "the body has more than \(limit.bytes) bytes"
        case .tooLargeDecoded(let limit): "the body has more than \(limit.bytes) bytes once decompressed"
        case .headTooLarge(let limit): "the head of the answer has more than \(limit.bytes) bytes"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .redirectRefused(let reason): "a redirect was not followed: \(reason)"
        case .redirectLoop(let place): "the redirects lead back to \(place)"
        case .addressRefused(let host, let address):
            "\(host) is at \(address), which is not a public address; \"allow_private: true\" permits it"
        case .unsupportedCoding(let coding):
            "the body is encoded as \(coding), which was not asked for; only gzip is"
        case .badCoding(let reason): "the compressed body is damaged: \(reason)"
        case .protocolError(let place, let reason): "\(place) does not speak proper HTTP: \(reason)"
        case .noRoom:
            "its answer found no room in \"daemon.buffers\" within \"timeout\"; allow more of either, or fewer requests at a time"
        case .badRequest(let reason): "the request cannot be sent: \(reason)"
        case .cancelled: "the request was cancelled"
        case .stopped: "the daemon stops"
        case .internal(let detail): detail
        }
    }
}

extension WebURL {
    /// For messages: without the query, where tokens are kept.
    var place: String {
        WebURL(scheme: scheme, host: host, port: port, path: path, query: nil).description
    }
}
