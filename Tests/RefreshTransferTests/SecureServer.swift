import Glibc
import RefreshCore
import TestSupport
import Testing

/// A certificate authority of a test's own, with `openssl`.
final class TestAuthority: Sendable {
    static let program = "/usr/bin/openssl"
    static let isAbsent = readFile(program) == nil

    let folder = TemporaryFolder()

    init() async throws {
        try await Self.run(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority"
                + " -keyout ca.key -out ca.pem", in: folder)
    }

    /// What is in `name`, such as `ca.pem`.
    func bytes(_ name: String) throws -> [UInt8] { try #require(readFile(folder.path(name))) }

    /// Makes `name.pem` and `name.key` for an address or a name; `days` may be negative.
    func issue(_ name: String, for subject: String, days: Int = 2) async throws {
        try await Self.run(
            "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=\(name) -keyout \(name).key"
                + " -out \(name).csr", in: folder)
        folder.write("subjectAltName=\(subject)\n", to: "\(name).ext")
        try await Self.run(
            "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days \(days)"
                + " -extfile \(name).ext -out \(name).pem", in: folder)
    }

    private static func run(_ command: String, in folder: TemporaryFolder) async throws {
        let child = try ChildProcess(
            "/bin/sh", ["-c", "cd \(folder.path) && exec \(program) \(command)"], in: folder, name: "maker")
        let ending = await child.wait()
        try #require(ending == .exited(0), "\(child.errors)")
    }
}

/// `openssl s_server` on loopback: files of the authority's folder are whole answers, heads included.
final class SecureServer: Sendable {
    let port: Int
    private let authority: TestAuthority
    private let child: ChildProcess

    /// - Parameters:
    ///   - name: whose certificate is shown.
    ///   - options: for `s_server`, such as `-Verify 1`.
    init(_ name: String, of authority: TestAuthority, options: String = "") async throws {
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c",
                "cd \(authority.folder.path) && exec \(TestAuthority.program) s_server -accept 127.0.0.1:0"
                    + " -key \(name).key -cert \(name).pem -HTTP \(options)",
            ], in: authority.folder, name: "server-\(name)")
        self.authority = authority
        self.child = child
        // It prints "ACCEPT 127.0.0.1:PORT" once it listens.
        let isReady = await eventually { child.output.contains("ACCEPT 127.0.0.1:") }
        try #require(isReady, "\(child.errors)")
        let line = child.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT") } ?? ""
        port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
    }

    func url(_ path: String, host: String = "127.0.0.1") throws -> WebURL {
        try WebURL(parsing: "https://\(host):\(port)/\(path)")
    }
}
