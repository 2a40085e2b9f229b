import CLinux
import RefreshCore
import RefreshFormats
import Synchronization
import TestSupport
import Testing

@Suite("A thousand reloads", .serialized, .timeLimit(.minutes(5))) struct ReloadStormTests {
    private static let feeds = 20
    private static let reloads = 1_000

    /// What the load has seen.
    private final class Load: Sendable {
        private struct State {
            var answers = 0
            var odd: [String] = []
        }

        private let state = Locked(State())
        private let isOver = Atomic(false)

        var answers: Int { state.withLock(\.answers) }
        var odd: [String] { state.withLock(\.odd) }
        var goesOn: Bool { !isOver.load(ordering: .relaxed) }

        func end() { isOver.store(true, ordering: .relaxed) }

        func note(_ target: String, _ answer: UnixHTTP.Answer?) {
            state.withLock { state in
                state.answers += 1
                if answer?.status != 200, state.odd.count < 10 {
                    state.odd.append("\(target): \(answer.map { "\($0.status) \($0.text)" } ?? "no answer")")
                }
            }
        }
    }

    /// - Parameters:
    ///   - round: changes the title of one feed.
    ///   - every: changes all of them.
    ///   - wrong: a line that makes the whole wrong.
    private static func config(_ url: String, round: Int, every: Int = 1, wrong: String = "") -> String {
        var text = """
            version: 1
            daemon: {allow_private: true, origin_gap: 0s, per_origin: 4}
            defaults: {adapter: json, key: id, every: \(every)s, schedule: {min_gap: 0s}}
            feeds:

            """
        for feed in 0..<feeds {
            let title = feed == round % feeds ? "round \(round)" : "steady"
            text += "  f\(feed): {url: '\(url)/f\(feed)', title: \(title)}\n"
        }
        return text + wrong
    }

    private func figure(_ name: String, of pid: pid_t) -> Int? {
        let text = String(decoding: readFile("/proc/\(pid)/status") ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.flatMap { $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first }
            .flatMap { Int($0) }
    }

    private func descriptors(of pid: pid_t) -> Int {
        guard let folder = unsafe opendir("/proc/\(pid)/fd") else { return 0 }
        defer { _ = unsafe closedir(folder) }
        var count = 0
        while let entry = unsafe readdir(folder) {
            if unsafe refreshd_entry_name(entry)[0] != 0x2E { count += 1 }
        }
        return count
    }

    @Test("half of them wrong, under load: no request lost, every generation right, nothing leaked")
    func storm() async throws {
        let upstream = try ScriptedUpstream { _ in
            UpstreamAnswer(headers: [("ETag", "\"1\"")], text: #"[{"id":1},{"id":2}]"#)
        }
        defer { upstream.stop() }
        let url = "http://127.0.0.1:\(upstream.port)"
        let daemon = DaemonUnderTest(config: Self.config(url, round: 0))
        try await daemon.start()
        let pid = try #require(daemon.process?.pid)
        for feed in 0..<Self.feeds {
            #expect(await eventually { (try? await daemon.keys("f\(feed)"))?.count == 2 })
        }
        let load = Load()
        let api = daemon.api
        async let clients: Void = drive(api, load)
        var generation = 1
        var before = (descriptors: 0, memory: 0, threads: 0)
        for round in 1...Self.reloads {
            if round == Self.reloads / 4 { before = figures(pid) }
            generation = try await reload(daemon, url, round, generation)
        }
        let asked = upstream.requests.count
        let start = ContinuousClock.now
        // With a timer for each reload there would be hundreds of requests in this time.
        #expect(await eventually { upstream.requests.count > asked + Self.feeds })
        let passed = Int((ContinuousClock.now - start).components.seconds) + 1
        #expect(upstream.requests.count <= asked + Self.feeds * (passed + 2))
        load.end()
        await clients
        #expect(load.odd == [])
        #expect(load.answers > Self.reloads / 10)
        let after = figures(pid)
        print(
            "reloads: \(Self.reloads), answers beside them: \(load.answers), before \(before), after \(after)"
        )
        #expect(after.descriptors <= before.descriptors + 4)
        #expect(after.threads <= before.threads + 2)
        // Kilobytes; a leak of one plan a reload would be many times that.
        #expect(after.memory <= before.memory + 8_192)
        let status = try await daemon.json("/v1/status")
        #expect(status.text("generation") == "\(generation)")
        try await daemon.stop()
    }

    private func figures(_ pid: pid_t) -> (descriptors: Int, memory: Int, threads: Int) {
        (descriptors(of: pid), figure("VmRSS", of: pid) ?? 0, figure("Threads", of: pid) ?? 0)
    }

    /// One reload, every second of them of a wrong file; the generation that holds then.
    private func reload(
        _ daemon: DaemonUnderTest, _ url: String, _ round: Int, _ generation: Int
    ) async throws -> Int {
        let isWrong = round % 2 == 0
        // Every tenth right one changes all feeds at once.
        let every = round % 20 < 10 ? 1 : 2
        let wrong = round % 4 == 0 ? "  f1: {url: 'http://twice.example/'}\n" : "  bad: {urll: x}\n"
        daemon.folder.write(
            Self.config(url, round: round, every: every, wrong: isWrong ? wrong : ""), to: "plugins.yaml")
        let answer = try #require(await daemon.control.post("/v1/reload", json: "{}"))
        let document = try JSONDocument(parsing: PaddedBytes(answer.body))
        #expect(answer.status == (isWrong ? 422 : 200), "\(round): \(answer.text)")
        if isWrong {
            #expect(document.list("errors").count == 1)
        } else {
            #expect(document.text("generation") == "\(generation + 1)")
            let isAll = round > 1 && (round % 20 < 10) != ((round - 2) % 20 < 10)
            if isAll { #expect(document.list("changed").count == Self.feeds, "\(round)") }
            #expect(document.list("added").isEmpty && document.list("removed").isEmpty)
        }
        let status = try await daemon.json("/v1/status")
        let holds = isWrong ? generation : generation + 1
        #expect(status.text("generation") == "\(holds)")
        #expect(status.text("config") == (isWrong ? "reload-failed" : "ok"))
        return holds
    }

    /// Readers of all kinds, until it is over.
    private func drive(_ api: UnixHTTP, _ load: Load) async {
        let targets = [
            "/v1/feeds", "/v1/feeds/f3/items", "/v1/feeds/f7/items/1",
            "/v1/feeds/f5/changes?since=now&wait=1s",
        ]
        await withTaskGroup(of: Void.self) { group in
            for target in targets {
                group.addTask {
                    while load.goesOn { load.note(target, await api.get(target)) }
                }
            }
        }
    }
}
