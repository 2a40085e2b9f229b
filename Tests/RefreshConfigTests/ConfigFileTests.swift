import CLinux
import RefreshConfig
import TestSupport
import Testing

@Suite("Configuration files on disk") struct ConfigFileTests {
    private static let good = "feeds:\n  a:\n    adapter: feed\n    url: https://h.example/\n"

    @Test("a missing file, a folder and a FIFO are named with the reason") func unreadable() throws {
        let folder = TemporaryFolder()
        let missing = ConfigReader.read(path: folder.path("none.yaml"))
        #expect(missing.plan == nil)
        #expect(
            missing.problems.map(\.text) == [
                "cannot read \(folder.path)/none.yaml: no such file; write one, or name another"
            ])
        #expect(
            ConfigReader.read(path: folder.path).problems.map(\.text) == [
                "cannot read \(folder.path): it is a folder"
            ])
        let fifo = folder.path("fifo")
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        #expect(ConfigReader.read(path: fifo).problems.map(\.text) == ["cannot read \(fifo): it is no file"])
    }

    @Test("a file that every user may write is read, with a warning") func writable() throws {
        let folder = TemporaryFolder()
        let file = folder.write(ConfigFileTests.good, to: "f.yaml")
        #expect(unsafe chmod(file, 0o644) == 0)
        #expect(ConfigReader.read(path: file).problems.isEmpty)
        #expect(unsafe chmod(file, 0o646) == 0)
        let result = ConfigReader.read(path: file)
        #expect(result.plan != nil)
        #expect(result.problems.map(\.severity) == [.warning])
        #expect(result.problems.map(\.code) == [.access])
    }

    @Test("8 MiB are read, one byte more is not") func size() throws {
        let folder = TemporaryFolder()
        let fill = 8_388_608 - ConfigFileTests.good.utf8.count - 1
        let text = ConfigFileTests.good + "#" + String(repeating: "x", count: fill)
        #expect(ConfigReader.read(path: folder.write(text, to: "f.yaml")).plan != nil)
        let larger = ConfigReader.read(path: folder.write(text + "x", to: "g.yaml"))
        #expect(larger.plan == nil)
        #expect(larger.problems.map(\.code) == [.access])
        #expect(
            ConfigReader.read(bytes: Array((text + "x").utf8), file: "f").problems.map(\.code) == [.limit])
    }

    @Test("every mistake of a file is told in one run, in the order of the file") func all() throws {
        let text =
            "daemon:\n  drain: 5\nfeeds:\n  a: {adapter: feed, url: 'ftp://h.example/', evry: 1m}\n  b: {}\n"
        let result = ConfigReader.read(bytes: Array(text.utf8), file: "f")
        #expect(
            result.problems.map { "\($0.line):\($0.code.rawValue)" } == [
                "2:bad_value", "4:bad_value", "4:unknown_key", "5:missing_key",
            ])
    }

    @Test("nothing of a file or its name reaches a terminal raw") func escapes() throws {
        let hostile = "\u{1B}]0;owned\u{7}\u{202E}\u{9B}"
        let texts = [
            "\"\(hostile)\": 1\n", "feeds:\n  \"a\\e[2Jb\\u009b\": {}\n", "version: \"\\e[31m\"\n",
            "a: !\u{202E}x 1\n",
        ]
        for text in texts {
            let result = ConfigReader.read(bytes: Array(text.utf8), file: "f\u{1B}[2J\n")
            #expect(!result.problems.isEmpty)
            for problem in result.problems {
                let isSafe = problem.text.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
                }
                #expect(isSafe, "\(problem.line)")
            }
        }
    }

    @Test("no message repeats what may be a secret") func secrets() {
        let header =
            "feeds: {a: {adapter: feed, request: {url: 'https://h.example/', headers: {X: VALUE}}}}\n"
        let url = "feeds: {a: {adapter: feed, url: 'https://u:hunter2@h.example/?k=hunter2'}}\n"
        let values = ["\"hunter2\\n\"", "[hunter2]", "{file: [hunter2]}", "{key: hunter2}", "hunter2$(x)"]
        var texts = values.map { value in
            header.split(separator: "VALUE", omittingEmptySubsequences: false).joined(separator: value)
        }
        texts.append(url)
        for text in texts {
            let result = ConfigReader.read(bytes: Array(text.utf8), file: "f")
            #expect(!result.errors.isEmpty, "\(text)")
            #expect(result.problems.allSatisfy { !$0.text.contains("hunter2") }, "\(text)")
        }
    }

    @Test("a secret in a file that every user may read is warned of, and only there") func exposed() throws {
        let text = """
            feeds:
              a:
                adapter: json
                key: id
                request: {url: 'https://h.example/', headers: {Cookie: a=b, X-Other: y}}
                auth: {type: basic, user: reader, password: hunter2}
              b: {adapter: json, key: id, url: 'https://h.example/', auth: {type: bearer, token: {env: T}}}
            """
        let folder = TemporaryFolder()
        let file = folder.write(text, to: "f.yaml")
        #expect(unsafe chmod(file, 0o600) == 0)
        #expect(ConfigReader.read(path: file).told.map(\.text) == [])
        #expect(unsafe chmod(file, 0o644) == 0)
        let result = ConfigReader.read(path: file)
        #expect(result.plan != nil)
        #expect(
            result.told.map { "\($0.severity.rawValue) \($0.line) \($0.path)" } == [
                "warning 5 feeds.a.request.headers.Cookie", "warning 6 feeds.a.auth.password",
            ])
    }

    @Test("a flood of mistakes is counted, and guessed at only as long as anybody reads") func flood() {
        let keys = (0..<5_000).map { "    every\($0): 1\n" }.joined()
        let result = ConfigReader.read(bytes: Array((ConfigFileTests.good + keys).utf8), file: "f")
        #expect(result.errors.count == 1_001)
        #expect(result.errors.last?.message == "there are 4000 more problems, which are not listed")
        #expect(result.errors.count { $0.message.contains("did you mean") } == 200)
    }

    @Test("a long chain of parents is walked once") func chain() throws {
        let feeds = (0..<3_000).map { number in
            "  f\(number): {adapter: json, key: id, url: 'https://h.example/\(number)', parent: {feed: f\(number + 1)}}\n"
        }.joined()
        let last = "  f3000: {adapter: json, key: id, url: 'https://h.example/l'PARENT}\n"
        func read(_ parent: String) -> ConfigResult {
            let end = last.split(separator: "PARENT", omittingEmptySubsequences: false).joined(
                separator: parent)
            return ConfigReader.read(bytes: Array("feeds:\n\(feeds)\(end)".utf8), file: "f")
        }
        #expect(read("").plan?.feeds.count == 3_001)
        let circle = read(", parent: {feed: f0}")
        #expect(
            circle.told.map(\.message) == [
                "parents go in a circle: f0 → f1 → f2 → f3 → f4 → f5 → f6 → … → f0"
            ])
    }
}
