import RefreshCore
import TestSupport
import Testing

@testable import RefreshTransfer

/// `openssl s_server` with a certificate that nobody vouches for.
private final class UntrustedServer: Sendable {
    static let program = "/usr/bin/openssl"

    let port: Int
    private let folder = TemporaryFolder()
    private let child: ChildProcess

    /// - Parameter options: what `s_server` gets besides, such as the versions that it speaks.
    init(_ options: [String] = []) async throws {
        let (key, certificate) = (folder.path("k"), folder.path("c"))
        let maker = try ChildProcess(
            Self.program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "1",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
                certificate,
            ], in: folder, name: "maker")
        let ending = await maker.wait()
        try #require(ending == .exited(0), "\(maker.errors)")
        let server = try ChildProcess(
            Self.program,
            ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"] + options,
            in: folder, name: "server")
        child = server
        // It prints "ACCEPT 127.0.0.1:PORT" once it listens.
        let isReady = await eventually { server.output.contains("ACCEPT 127.0.0.1:") }
        try #require(isReady, "\(server.errors)")
        let line = server.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT") } ?? ""
        port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
    }
}

@Suite(
    "TLS", .timeLimit(.minutes(1)),
    .enabled(if: readFile(UntrustedServer.program) != nil, "openssl is not installed"))
struct TLSTests {
    @Test(
        "talks to nobody whom it cannot trust",
        arguments: [["-tls1_2"], ["-tls1_3"], ["-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0"]])
    func untrusted(_ options: [String]) async throws {
        let server = try await UntrustedServer(options)
        let service = try TransferService()
        let url = try WebURL(parsing: "https://127.0.0.1:\(server.port)/?token=secret")
        let failure = await service.failure(
            of: TransferRequest(url: url, allowPrivate: true, userAgent: "t"))
        guard case .tls(url.place, let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(failure?.failure.detail.contains("secret") == false)
    }
}
