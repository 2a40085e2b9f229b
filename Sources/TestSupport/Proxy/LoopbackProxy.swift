import CLinux
import RefreshCore

/// A small HTTP and SOCKS5 proxy on loopback: whatever host it is asked for, it connects to that port of 127.0.0.1.
package final class LoopbackProxy: Sendable {
    /// What somebody asked the proxy for.
    package struct Wish: Sendable, Equatable {
        /// `CONNECT`, a method, or `SOCKS5`.
        package let kind: String
        /// `host:port`, or the URL of a request that is passed on.
        package let target: String
        /// The header fields meant for the proxy; of SOCKS none.
        package let headers: HTTPHeaders
        /// `user:password` as given; nil where there was none.
        package let login: String?
    }

    private struct State {
        var wishes: [Wish] = []
        var threads: [JoinableThread] = []
        var isStopped = false
    }

    private let socket: UpstreamSocket
    private let stopped: Int32
    private let login: String?
    private let state = Locked(State())

    /// - Parameter login: `user:password` that is asked of everybody.
    package static func start(login: String? = nil) throws -> LoopbackProxy {
        let proxy = try LoopbackProxy(login: login)
        proxy.begin()
        return proxy
    }

    private init(login: String?) throws {
        socket = try UpstreamSocket.loopback()
        stopped = eventfd(0, Int32(EFD_CLOEXEC))
        precondition(stopped >= 0, "no eventfd can be made")
        self.login = login
    }

    deinit { _ = close(stopped) }

    package var port: Int { socket.port }
    package var wishes: [Wish] { state.withLock(\.wishes) }

    /// Ends every connection and joins every thread; to be called, or the threads stay.
    package func stop() {
        let threads = state.withLock { state -> [JoinableThread] in
            state.isStopped = true
            defer { state.threads = [] }
            return state.threads
        }
        _ = eventfd_write(stopped, 1)
        for thread in threads { thread.join() }
        if !threads.isEmpty { _ = close(socket.descriptor) }
    }

    // MARK: - Threads

    private func begin() {
        let thread = JoinableThread { self.acceptAll() }
        state.withLock { $0.threads.append(thread) }
    }

    private func acceptAll() {
        while true {
            var polled = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, nfds_t(polled.count), -1)
            if polled[1].revents != 0 { return }
            guard let descriptor = socket.accepted() else { continue }
            state.withLock { state in
                guard !state.isStopped else {
                    _ = close(descriptor)
                    return
                }
                state.threads.append(JoinableThread { self.serve(ProxyPeer(descriptor, stop: self.stopped)) })
            }
        }
    }

    private func serve(_ client: consuming ProxyPeer) {
        guard let first = client.peek() else { return }
        guard let upstream = first == 5 ? socks(&client) : http(&client) else { return }
        client.relay(with: upstream)
    }

    private func note(_ kind: String, _ target: String, _ headers: HTTPHeaders, login: String?) -> Bool {
        state.withLock {
            $0.wishes.append(Wish(kind: kind, target: target, headers: headers, login: login))
        }
        return self.login == nil || self.login == login
    }

    // MARK: - Protocols

    /// CONNECT, or a request whose target is a URL, which is passed on for one answer.
    private func http(_ client: inout ProxyPeer) -> ProxyPeer? {
        guard let bytes = client.head(), let head = UpstreamRequestHead(bytes[...]) else { return nil }
        let basic = head.headers.first("proxy-authorization")
        guard note(head.method, head.target, head.headers, login: basic) else {
            client.send(
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n")
            return nil
        }
        if head.method == "CONNECT" {
            let port = head.target.split(separator: ":").last.flatMap { Int($0) } ?? 0
            guard let upstream = ProxyPeer.connect(port: port, stop: stopped) else {
                client.send("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
                return nil
            }
            client.send("HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n")
            return upstream
        }
        guard let url = try? WebURL(parsing: head.target),
            let upstream = ProxyPeer.connect(port: url.origin.port, stop: stopped)
        else {
            client.send("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
            return nil
        }
        var text = "\(head.method) \(url.requestTarget) HTTP/1.1\r\n"
        for field in head.headers.fields where !field.name.lowercased().hasPrefix("proxy-") {
            text += "\(field.name): \(field.value)\r\n"
        }
        upstream.send(text + "\r\n")
        return upstream
    }

    /// RFC 1928 with RFC 1929, as far as clients of ours go.
    private func socks(_ client: inout ProxyPeer) -> ProxyPeer? {
        guard let start = client.take(2), client.take(Int(start[1])) != nil else { return nil }
        var login: String?
        if self.login != nil {
            client.send([5, 2])
            guard let name = client.take(2), let user = client.take(Int(name[1])),
                let length = client.take(1),
                let password = client.take(Int(length[0]))
            else { return nil }
            login = String(decoding: user + [0x3A] + password, as: UTF8.self)
            client.send([1, login == self.login ? 0 : 1])
        } else {
            client.send([5, 0])
        }
        guard let wish = client.take(4) else { return nil }
        let count = wish[3] == 1 ? 4 : wish[3] == 4 ? 16 : Int(client.take(1)?.first ?? 0)
        guard let host = client.take(count), let port = client.take(2) else { return nil }
        let number = Int(port[0]) << 8 | Int(port[1])
        let name =
            wish[3] == 3
            ? String(decoding: host, as: UTF8.self) : host.map { String($0) }.joined(separator: ".")
        guard note("SOCKS5", "\(name):\(number)", HTTPHeaders(), login: login),
            let upstream = ProxyPeer.connect(port: number, stop: stopped)
        else { return nil }
        client.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        return upstream
    }
}
