import CLinux
import Glibc
import TestSupport
import Testing

/// A network of its own, with a resolver that changes its mind and two servers: one at a public address, one at a
/// private one. All of it is on the loopback device of a namespace that nobody else sees.
private final class OwnNetwork {
    static let reason: String? = {
        if geteuid() != 0 { return "only root can make a network of its own" }
        let programs = ["/usr/bin/unshare", "/usr/bin/nsenter", "/usr/bin/python3", "/usr/sbin/ip"]
        return programs.first { readFile($0) == nil }.map { "\($0) is not installed" }
    }()

    /// Answers address queries from a file that it reads anew each time, with no life at all; other types have no
    /// records. Every request over HTTP is noted with the server that got it.
    private static let script = """
        import http.server, os, socket, struct, sys, threading
        folder = sys.argv[1]

        def note(line):
            with open(f"{folder}/log", "a") as log:
                log.write(line + "\\n")

        def addresses(name):
            with open(f"{folder}/names") as names:
                for line in names:
                    words = line.split()
                    if words and words[0] == name:
                        return words[1:]
            return []

        def resolve():
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            server.bind(("127.0.0.1", 53))
            while True:
                query, client = server.recvfrom(512)
                labels, place = [], 12
                while query[place]:
                    labels.append(query[place + 1:place + 1 + query[place]].decode())
                    place += 1 + query[place]
                kind = struct.unpack("!H", query[place + 1:place + 3])[0]
                found = addresses(".".join(labels)) if kind == 1 else []
                if kind == 1:
                    note("dns " + ".".join(labels) + " " + ",".join(found))
                answer = query[:2] + struct.pack("!HHHHH", 0x8580, 1, len(found), 0, 0) + query[12:place + 5]
                for address in found:
                    answer += struct.pack("!HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(address)
                server.sendto(answer, client)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                place = "public" if self.server.server_address[0].startswith("93.") else "private"
                note(f"{place} {self.path}")
                body = b'[{"id":1,"at":"' + place.encode() + b'"}]'
                away = self.path.startswith("/away")
                self.send_response(302 if away else 200)
                if away:
                    self.send_header("Location", "http://inner.example:8080/")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        for address, port in (("93.184.216.34", 8080), ("10.1.2.3", 8080), ("10.1.2.3", 8081)):
            server = http.server.ThreadingHTTPServer((address, port), Handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
        threading.Thread(target=resolve, daemon=True).start()
        note("ready")
        threading.Event().wait()
        """

    let folder = TemporaryFolder()
    private let child: ChildProcess

    init() async throws {
        folder.write(Self.script, to: "servers.py")
        folder.write("nameserver 127.0.0.1\noptions timeout:2 attempts:2\n", to: "resolv.conf")
        folder.write("", to: "names")
        let setUp = """
            set -e
            ip link set lo up
            ip address add 93.184.216.34/32 dev lo
            ip address add 10.1.2.3/32 dev lo
            mount --bind '\(folder.path("resolv.conf"))' /etc/resolv.conf
            exec python3 '\(folder.path("servers.py"))' '\(folder.path)'
            """
        child = try ChildProcess(
            "/usr/bin/unshare", ["--mount", "--net", "/bin/sh", "-c", setUp], in: folder, name: "network",
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        let child = child
        let isReady = await eventually { child.poll() != nil || self.log.contains("ready") }
        try #require(isReady && child.poll() == nil, "\(child.errors)")
    }

    var log: [String] {
        let text = String(decoding: readFile(folder.path("log")) ?? [], as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// What a name means from now on.
    func names(_ names: [String: [String]]) {
        let lines = names.map { "\($0.key) \($0.value.joined(separator: " "))" }
        folder.write(lines.joined(separator: "\n") + "\n", to: "names")
    }

    /// What stands before a command that is to run in here.
    var entrance: [String] { ["/usr/bin/nsenter", "--target=\(child.pid)", "--mount", "--net"] }
}

// T-U5.
@Suite(
    "Names that lead elsewhere the next time", .timeLimit(.minutes(2)), .serialized,
    .enabled(if: OwnNetwork.reason == nil, "\(OwnNetwork.reason ?? "")"))
struct RebindingTests {
    private static let config = """
        version: 1
        defaults: {adapter: json, key: id, every: off, schedule: {min_gap: 0s}}
        feeds:
          plain: {url: 'http://rebind.example:8080/list'}
          trusted: {url: 'http://rebind.example:8080/list', allow_private: true}
          away: {url: 'http://outer.example:8080/away'}
          both: {url: 'http://both.example:8081/list'}
        """

    private func error(_ daemon: DaemonUnderTest, _ feed: String) async throws -> String? {
        let status = try await daemon.json("/v1/feeds/\(feed)")
        return status.member(Array("last_error".utf8), of: status.root).flatMap {
            status.text("code", in: $0)
        }
    }

    private func requests(_ network: OwnNetwork) -> [String] {
        network.log.filter { $0.hasPrefix("public ") || $0.hasPrefix("private ") }
    }

    @Test("a name that was public and is private by now is not asked, on a new connection or on a pooled one")
    func rebinding() async throws {
        let network = try await OwnNetwork()
        let daemon = DaemonUnderTest(config: RebindingTests.config)
        network.names(["rebind.example": ["93.184.216.34"]])
        try await daemon.start(inside: network.entrance)
        #expect(try await daemon.refresh("plain") == "refreshed")
        #expect(requests(network) == ["public /list"])
        try await daemon.stop()

        // A new look-up: the name is somewhere else now.
        network.names(["rebind.example": ["10.1.2.3"]])
        try await daemon.start(inside: network.entrance)
        #expect(try await daemon.refresh("plain") == "failed")
        #expect(try await error(daemon, "plain") == "address-refused")
        #expect(requests(network) == ["public /list"])

        // Somebody who may opens a connection there, which is then in the pool.
        #expect(try await daemon.refresh("trusted") == "refreshed")
        #expect(requests(network) == ["public /list", "private /list"])
        #expect(try await daemon.refresh("plain") == "failed")
        #expect(try await error(daemon, "plain") == "address-refused")
        #expect(requests(network) == ["public /list", "private /list"])
        #expect(network.log.filter { $0.hasPrefix("dns rebind.example") }.count >= 2)
        try await daemon.stop()
    }

    @Test("a redirect to such a name, or a private address behind a public one, is not followed")
    func redirectAndFallback() async throws {
        let network = try await OwnNetwork()
        let daemon = DaemonUnderTest(config: RebindingTests.config)
        network.names([
            "outer.example": ["93.184.216.34"], "inner.example": ["10.1.2.3"],
            // Nobody listens on that port of the first address, so that libcurl tries the second one.
            "both.example": ["93.184.216.34", "10.1.2.3"],
        ])
        try await daemon.start(inside: network.entrance)
        #expect(try await daemon.refresh("away") == "failed")
        #expect(try await error(daemon, "away") == "address-refused")
        #expect(try await daemon.refresh("both") == "failed")
        #expect(requests(network) == ["public /away"])
        #expect(network.log.contains { $0.hasPrefix("dns inner.example 10.1.2.3") })
        try await daemon.stop()
    }
}
