import CCurl
import CLinux
import RefreshCore

extension Reception {
    /// How a transfer that libcurl has ended came out.
    ///
    /// - Parameters:
    ///   - osError: errno of the connection's last failed call.
    ///   - reason: libcurl's own words.
    ///   - cookies: what libcurl holds; nil where cookies are off.
    mutating func finish(
        _ code: CURLcode, osError: Int32, reason: String, cookies: [String]?
    ) -> HopResult {
        code == CURLE_OK
            ? finish(cookies: cookies)
            : finish(failure(code, osError: osError, reason: reason), cookies: cookies)
    }

    private func failure(_ code: CURLcode, osError: Int32, reason: String) -> TransferFailure {
        let place = hop.url.place
        if let proxy = hop.proxy, !isConnected, isOfProxy(code) {
            return .proxy(proxy.display, reason: reason)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .resolve(host: hop.url.host)
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK: return unconnected(osError, reason)
        case CURLE_OPERATION_TIMEDOUT where isHeldBack: return .noRoom
        case CURLE_OPERATION_TIMEDOUT:
            return isConnected || hop.limits.connect >= hop.remaining
                ? .timeout(at: place) : .connectTimeout(at: place)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: return .cut(at: place, received: wireBytes)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return lost(osError, reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            return .tls(at: place, reason: reason)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP_RETURNED_ERROR:
            return .protocolError(at: place, reason: reason)
        case CURLE_URL_MALFORMAT: return .badRequest(reason: reason)
        // A single line longer than libcurl's own bound never reaches ours.
        case CURLE_OUT_OF_MEMORY where isConnected && !head.isComplete:
            return .headTooLarge(limit: hop.limits.head)
        default: return .internal("libcurl: \(reason) (\(code.rawValue))")
        }
    }

    /// What fails before a connection through a proxy stands is the proxy's doing or its refusal; TLS beyond it and
    /// time limits are not.
    private func isOfProxy(_ code: CURLcode) -> Bool {
        [
            CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_RECV_ERROR,
            CURLE_SEND_ERROR,
            CURLE_GOT_NOTHING,
        ].contains(code)
    }

    /// Why no connection came about.
    func unconnected(_ osError: Int32, _ reason: String) -> TransferFailure {
        if let refusedAddress { return .addressRefused(host: hop.url.host, address: refusedAddress) }
        let place = hop.unixSocket ?? hop.url.place
        switch osError {
        case ECONNREFUSED, ENOENT: return .connectionRefused(at: place)
        // No interface is up, none has a route, or none has an address to send from.
        case ENETUNREACH, ENETDOWN, EADDRNOTAVAIL: return .noRoute(at: place)
        default: return .unreachable(at: place, reason: reason)
        }
    }

    /// A connection that failed in mid-speech, or spoke nonsense: libcurl has one code for both.
    private func lost(_ osError: Int32, _ reason: String) -> TransferFailure {
        let place = hop.url.place
        if osError == ECONNRESET || osError == EPIPE { return .reset(at: place) }
        // Over TLS an end without the closing message; in plain text a chunk that is none.
        return hop.url.scheme == .https
            ? .cut(at: place, received: wireBytes) : .protocolError(at: place, reason: reason)
    }
}
