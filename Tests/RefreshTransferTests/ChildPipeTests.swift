import CLinux
import RefreshCore
import RefreshTransfer
import TestSupport
import Testing

@Suite("Programs that read bodies", .timeLimit(.minutes(1))) struct ChildPipeTests {
    private func run(
        _ command: [String], _ input: [UInt8] = [], _ change: (inout ChildPipe.Limits) -> Void = { _ in }
    ) async throws -> String {
        var limits = ChildPipe.Limits()
        change(&limits)
        return String(
            decoding: try await ChildPipe(command, limits: limits).run(PaddedBytes(input)), as: UTF8.self)
    }

    @Test("get all of it and give all of theirs, however much that is", arguments: [0, 1, 3_000_000])
    func works(size: Int) async throws {
        let input = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await ChildPipe(["cat"]).run(PaddedBytes(input)) == input)
    }

    @Test("need not read what they get")
    func readsNothing() async throws {
        #expect(
            try await run(["/bin/echo", "a b", "$HOME"], Array(repeating: 0, count: 1_000_000))
                == "a b $HOME\n")
    }

    @Test("get a clean environment, and limits that their children share")
    func environment() async throws {
        #expect(
            try await run(["env"]).split(separator: "\n").map(String.init).sorted()
                .filter { !$0.hasPrefix("PWD=") }
                == ["LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "TZ=UTC"])
        let asked = try await run(["sh", "-c", "pwd; sh -c 'ulimit -n; ulimit -c'; ls /proc/self/fd | wc -l"])
        // The list of descriptors holds the one that it is read with.
        #expect(asked == "/\n64\n0\n4\n")
    }

    @Test("are told to end when their time is over, and made to")
    func slow() async throws {
        for command in [["sleep", "1000"], ["sh", "-c", "trap '' TERM; while :; do sleep 1000; done"]] {
            let start = SuspendingClock.now
            await #expect(throws: PipeFailure.tooSlow(program: command[0], limit: .milliseconds(200))) {
                try await self.run(command) {
                    $0.time = .milliseconds(200)
                    $0.grace = .milliseconds(200)
                }
            }
            #expect(SuspendingClock.now - start < .seconds(20))
        }
    }

    @Test("are ended where they write too much")
    func floods() async {
        await #expect(throws: PipeFailure.tooLarge(program: "yes", limit: .kibibytes(64))) {
            try await self.run(["yes"]) { $0.output = .kibibytes(64) }
        }
    }

    @Test("may write to their standard error without end, of which the beginning is kept")
    func chatters() async throws {
        let script = "yes complaint | head -c 5000000 >&2; exit 3"
        let failure = await #expect(throws: PipeFailure.self) { try await self.run(["sh", "-c", script]) }
        guard case .failed("sh", "ended with status 3", let said) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(said.hasPrefix("complaint complaint") && said.utf8.count <= 1_000)
    }

    @Test("fail by a signal, and where they cannot be run")
    func fails() async throws {
        let killed = await #expect(throws: PipeFailure.self) {
            try await self.run(["sh", "-c", "kill -9 $$"])
        }
        #expect(killed == .failed(program: "sh", how: "was ended by signal 9", said: ""))
        for command in [["/nowhere/program"], ["no-such-program"], ["/etc/passwd"]] {
            let failure = await #expect(throws: PipeFailure.self) { try await self.run(command) }
            #expect(failure?.failure.class == .config && failure?.code == "pipe-not-started", "\(command)")
        }
    }

    @Test("leave no process of their group behind, and hold nobody up by one")
    func leavesNothing() async throws {
        let text = try await run(["sh", "-c", "sleep 1000 & echo $!"])
        let process = try #require(pid_t(text.dropLast()))
        // A killed process that nobody has asked for yet still has its number.
        #expect(await eventually { kill(process, 0) != 0 || Self.isZombie(process) })
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        readFile("/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self).contains(") Z ") } ?? true
    }

    @Test("end with the task that waits for them")
    func cancelled() async throws {
        let folder = TemporaryFolder()
        let mark = folder.path("started")
        let task = Task { try await self.run(["sh", "-c", "echo x > \(mark); exec sleep 1000"]) }
        #expect(await eventually { readFile(mark) != nil })
        task.cancel()
        await #expect(throws: PipeFailure.cancelled) { _ = try await task.value }
    }
}
