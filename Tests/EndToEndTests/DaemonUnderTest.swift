import CLinux
import RefreshCore
import RefreshFormats
import TestSupport
import Testing

/// A `refreshd` of this build with a folder, a socket and a configuration of its own.
final class DaemonUnderTest {
    let folder = TemporaryFolder()
    let socket: String
    let state: String
    private(set) var process: ChildProcess?
    private var starts = 0

    init(config: String) {
        socket = folder.path("api.sock")
        state = folder.path("state")
        folder.write(config, to: "plugins.yaml")
    }

    var api: UnixHTTP { UnixHTTP(socket: socket) }

    /// Starts the program without waiting for anything.
    @discardableResult func launch(environment: [String: String] = [:]) throws -> ChildProcess {
        starts += 1
        let started = try ChildProcess(
            "\(productsFolder)/refreshd",
            ["--config", folder.path("plugins.yaml"), "--socket", socket, "--state", state],
            in: folder, name: "refreshd\(starts)", environment: environment)
        process = started
        return started
    }

    /// Starts the program by way of a command that runs its arguments, and waits until its socket answers.
    func start(inside entrance: [String]) async throws {
        starts += 1
        let started = try ChildProcess(
            entrance[0],
            entrance.dropFirst() + [
                "\(productsFolder)/refreshd", "--config", folder.path("plugins.yaml"), "--socket", socket,
                "--state", state,
            ], in: folder, name: "refreshd-inside\(starts)")
        process = started
        try await answers(started)
    }

    /// Starts the program with so many descriptors at most and waits until its socket answers.
    func start(descriptors: Int) async throws -> ChildProcess {
        let started = try ChildProcess(
            "/usr/bin/prlimit",
            [
                "--nofile=\(descriptors):\(descriptors)", "\(productsFolder)/refreshd", "--config",
                folder.path("plugins.yaml"), "--socket", socket, "--state", state,
            ], in: folder, name: "refreshd-scarce")
        process = started
        try await answers(started)
        return started
    }

    /// Starts the program and waits until its socket answers.
    func start(environment: [String: String] = [:]) async throws {
        try await answers(launch(environment: environment))
    }

    /// The socket of those who run the host.
    var control: UnixHTTP { UnixHTTP(socket: folder.path("control.sock")) }

    private func answers(_ process: ChildProcess) async throws {
        let ready = await eventually {
            if process.poll() != nil { return true }
            return await self.api.get("/readyz")?.status == 200
        }
        try #require(ready && process.poll() == nil, "refreshd does not answer: \(process.errors)")
    }

    /// Ends the program as a power cut would, as far as one process can feel it.
    func kill() async throws {
        let process = try #require(process)
        process.signal(SIGKILL)
        #expect(await process.wait() == .signalled(SIGKILL))
    }

    /// Asks the program to end, and expects that it does so in time and in order.
    func stop(within limit: Duration = .seconds(10)) async throws {
        let process = try #require(process)
        process.signal(SIGTERM)
        #expect(await process.wait(atMost: limit) == .exited(0), "\(process.errors)")
    }

    // MARK: - Questions

    func json(_ target: String, status: Int = 200) async throws -> JSONDocument {
        let answer = try #require(await api.get(target), "no answer to \(target)")
        #expect(answer.status == status, "\(target): \(answer.text)")
        return try JSONDocument(parsing: PaddedBytes(answer.body))
    }

    /// A refresh that is waited for; its outcome's name.
    @discardableResult func refresh(_ feed: String, mode: String = "now") async throws -> String {
        let body = #"{"mode":"\#(mode)","wait":"all","deadline_ms":20000}"#
        let answer = try #require(await api.post("/v1/feeds/\(feed)/refresh", json: body))
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDocument(parsing: PaddedBytes(answer.body)).text("outcome") ?? ""
    }

    /// Waits until the pass that has brought the feed's items has ended: they are there a moment before, and who asks
    /// for a refresh in it shares that pass. Asks the upstream for nothing where the feed is fresh.
    func landed(_ feed: String) async throws { try await refresh(feed, mode: "if_stale") }

    /// The keys of all live items, through as many pages as it takes.
    func keys(_ feed: String) async throws -> [String] {
        var keys: [String] = []
        var cursor = ""
        repeat {
            let page = try await json(
                "/v1/feeds/\(feed)/items?limit=500" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
            keys += page.list("items").map { page.text("key", in: $0) ?? "" }
            cursor = page.flag("has_more") == true ? page.text("cursor") ?? "" : ""
        } while !cursor.isEmpty
        return keys
    }

    func syncKey(_ feed: String) async throws -> String {
        try #require(try await json("/v1/feeds/\(feed)").text("sync_key"))
    }

    /// The changes since `key`, each as `op key`.
    func changes(_ feed: String, since key: String) async throws -> [String] {
        let answer = try await json("/v1/feeds/\(feed)/changes?since=\(key)&limit=1000")
        #expect(answer.flag("has_more") == false)
        return answer.list("changes").map {
            "\(answer.text("op", in: $0) ?? "") \(answer.text("key", in: $0) ?? "")"
        }
    }
}

/// Members of the answers, by name.
extension JSONDocument {
    func text(_ name: String, in node: JSONNode? = nil) -> String? {
        guard let value = member(Array(name.utf8), of: node ?? root) else { return nil }
        return (string(of: value) ?? Array(text(of: value))).withText()
    }

    func flag(_ name: String) -> Bool? { text(name).map { $0 == "true" } }

    func list(_ name: String) -> [JSONNode] {
        member(Array(name.utf8), of: root).map { Array(elements(of: $0)) } ?? []
    }
}

extension [UInt8] {
    fileprivate func withText() -> String { String(decoding: self, as: UTF8.self) }
}
