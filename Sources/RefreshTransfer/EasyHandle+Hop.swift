import CCurl
import RefreshCore

extension EasyHandle {
    /// Sets everything that a request of `hop` needs, and what keeps it within its bounds; a fault shows in `fault`.
    mutating func configure(_ hop: Hop) {
        reset()
        set(CURLOPT_URL, hop.url.description)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_NOSIGNAL, 1)
        // Or a transfer that times out in the resolver holds up all others until the resolver returns.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_CONNECTTIMEOUT_MS, hop.limits.connect.wholeMilliseconds)
        set(CURLOPT_TIMEOUT_MS, hop.remaining.wholeMilliseconds)
        if let socket = hop.unixSocket { set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        if hop.isOnce { set(CURLOPT_FRESH_CONNECT, 1) }
        setHeader(hop.head.lines)
        setMethod(hop)
        setTLS(hop.tls)
        setProxy(hop.proxy)
        setIdentity(hop)
    }

    private mutating func setTLS(_ tls: TLSSettings) {
        for (version, peer, host) in [
            (CURLOPT_SSLVERSION, CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST),
            (CURLOPT_PROXY_SSLVERSION, CURLOPT_PROXY_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYHOST),
        ] {
            set(version, CURL_SSLVERSION_TLSv1_2)
            set(peer, 1)
            set(host, 2)
        }
        if !tls.verify {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let authorities = tls.authorities {
            clear(CURLOPT_CAPATH)
            clear(CURLOPT_CAINFO)
            set(CURLOPT_CAINFO_BLOB, bytes: authorities)
        }
        if let certificate = tls.certificate {
            set(CURLOPT_SSLCERT_BLOB, bytes: certificate)
            set(CURLOPT_SSLKEY_BLOB, bytes: tls.key ?? certificate)
        }
    }

    private mutating func setProxy(_ proxy: ProxySettings?) {
        // The empty texts keep the environment's proxies, and its exceptions, out.
        set(CURLOPT_PROXY, proxy?.display ?? "")
        set(CURLOPT_NOPROXY, "")
        // A proxy is told nothing of what is meant for the upstream.
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let user = proxy?.user { set(CURLOPT_PROXYUSERNAME, user) }
        if let password = proxy?.password { set(CURLOPT_PROXYPASSWORD, password) }
    }

    private mutating func setIdentity(_ hop: Hop) {
        if let digest = hop.digest {
            set(CURLOPT_HTTPAUTH, refreshd_auth_digest)
            set(CURLOPT_USERNAME, digest.name)
            set(CURLOPT_PASSWORD, digest.value)
        }
        if let cookie = hop.head.cookie { set(CURLOPT_COOKIE, cookie) }
        guard let cookies = hop.cookies else { return }
        // Turns libcurl's cookies on, with none to begin with.
        set(CURLOPT_COOKIEFILE, "")
        for line in cookies { set(CURLOPT_COOKIELIST, line) }
    }

    private mutating func setMethod(_ hop: Hop) {
        if let body = hop.body {
            set(CURLOPT_POST, 1)
            setBody(body)
        } else if hop.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
            return
        } else {
            set(CURLOPT_HTTPGET, 1)
        }
        set(CURLOPT_CUSTOMREQUEST, hop.method)
    }
}
