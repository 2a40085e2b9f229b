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
}
