import RefreshCore
import TestSupport
import Testing

/// TLS in front of a scripted upstream, with connections that stay open, by a few lines of Python.
final class TLSFront: Sendable {
    static let program = "/usr/bin/python3"
    static let isAbsent = readFile(program) == nil || TestAuthority.isAbsent

    private static let script = """
        import socket, ssl, sys, threading
        certificate, key, authority, target = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.load_verify_locations(authority)
        context.verify_mode = ssl.CERT_OPTIONAL
        listener = socket.create_server(("127.0.0.1", 0))
        print("PORT", listener.getsockname()[1], flush=True)

        def pump(source, sink):
            try:
                while data := source.recv(65536):
                    sink.sendall(data)
            except OSError:
                pass
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        def serve(raw):
            try:
                client = context.wrap_socket(raw, server_side=True)
            except OSError:
                return
            print("CLIENT", "known" if client.getpeercert() else "unknown", flush=True)
            upstream = socket.create_connection(("127.0.0.1", int(target)))
            threading.Thread(target=pump, args=(client, upstream), daemon=True).start()
            pump(upstream, client)

        while True:
            threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """

    let port: Int
    private let child: ChildProcess
    private let authority: TestAuthority

    /// - Parameter name: whose certificate is shown.
    init(_ name: String, of authority: TestAuthority, before upstream: ScriptedUpstream) async throws {
        let folder = authority.folder
        let child = try ChildProcess(
            Self.program,
            [
                "-c", Self.script, folder.path("\(name).pem"), folder.path("\(name).key"),
                folder.path("ca.pem"), String(upstream.port),
            ], in: folder, name: "front-\(name)")
        self.child = child
        self.authority = authority
        let isReady = await eventually { child.output.contains("\n") }
        try #require(isReady && child.output.hasPrefix("PORT "), "\(child.errors)")
        port = try #require(
            child.output.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) })
    }

    /// For each connection whether its client showed a certificate.
    var clients: [Bool] {
        child.output.split(separator: "\n").dropFirst().map { $0 == "CLIENT known" }
    }

    func url(_ path: String = "/") throws -> WebURL {
        try WebURL(parsing: "https://127.0.0.1:\(port)\(path)")
    }
}
