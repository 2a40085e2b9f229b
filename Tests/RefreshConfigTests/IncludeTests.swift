import CLinux
import RefreshConfig
import RefreshCore
import TestSupport
import Testing

@Suite("Included files") struct IncludeTests {
    private static let root =
        "include: feeds.d/*.yaml\nfeeds: {own: {adapter: feed, url: 'https://h.example/'}}\n"

    private static func feed(_ name: String) -> String {
        "feeds: {\(name): {adapter: feed, url: 'https://h.example/\(name)'}}\n"
    }

    private let folder = TemporaryFolder()

    private func write(_ text: String, _ name: String, mode: mode_t = 0o644) {
        _ = unsafe mkdir(folder.path("feeds.d"), 0o755)
        _ = unsafe chmod(folder.path("feeds.d"), 0o755)
        _ = unsafe chmod(folder.write(text, to: name), mode)
    }

    private func read(_ text: String = IncludeTests.root, _ mode: ConfigReader.Mode = .check) -> ConfigResult
    {
        write(text, "plugins.yaml")
        return ConfigReader.read(path: folder.path("plugins.yaml"), mode: mode)
    }

    private func names(_ result: ConfigResult) -> [String] { (result.plan?.feeds ?? []).map(\.id.name) }

    /// Without the folder, which is another one each time.
    private func texts(_ result: ConfigResult) -> [String] {
        result.told.map { problem in
            String(
                problem.text.split(separator: "\(folder.path)/", omittingEmptySubsequences: false).joined())
        }
    }

    @Test("are read in the order of their bytes, without what editors and dpkg leave behind") func order() {
        write(IncludeTests.feed("b"), "feeds.d/b.yaml")
        write(IncludeTests.feed("z"), "feeds.d/Z.yaml")
        for name in [".hidden.yaml", "a.yaml~", "~a.yaml", "a.dpkg-old.yaml", "a.yaml.dpkg-new", "a.txt"] {
            write(IncludeTests.feed("wrong"), "feeds.d/\(name)")
        }
        let text = IncludeTests.root + "fragments: {f: {every: 9m}}\n"
        let result = read(text)
        #expect(texts(result) == [])
        #expect(names(result) == ["b", "own", "z"])
        // The same name twice tells the order: the later file is told of the earlier.
        write(IncludeTests.feed("b"), "feeds.d/a.yaml")
        #expect(
            texts(read()) == [
                "feeds.d/b.yaml:1:9: feeds.b: \"b\" stands in feeds.d/a.yaml on line 1 already"
            ])
    }

    @Test("hold feeds, fragments, budgets and plugins, which the whole configuration may use") func parts()
        throws
    {
        write("fragments: {polite: {every: 9m}}\nbudgets: {forge: {rate: 5/1m}}\n", "feeds.d/1.yaml")
        write("plugins: {tides: {exec: [/usr/bin/tides]}}\nfeeds: {t: {adapter: tides}}\n", "feeds.d/2.yaml")
        let result = read(
            "include: feeds.d/*.yaml\nfeeds: {a: {adapter: feed, url: 'https://h.example/', use: polite, limits: {share: forge}}}\n"
        )
        #expect(texts(result) == [])
        let plan = try #require(result.plan)
        #expect(plan.feeds.map(\.schedule.every) == [.seconds(540), .seconds(300)])
        #expect(plan.feeds.map(\.adapter.name) == ["feed", "tides"])
        #expect(plan.budgets.map(\.name) == ["forge"])
        #expect(plan.plugins.map(\.command) == [["/usr/bin/tides"]])
    }

    @Test("may not say what holds for the whole daemon") func misplaced() {
        write("daemon: {drain: 1s}\ninclude: x\ndefaults: {}\n", "feeds.d/a.yaml")
        #expect(
            texts(read()) == [
                "feeds.d/a.yaml:1:1: \"daemon\" belongs in the file that includes this one",
                "feeds.d/a.yaml:2:1: \"include\" belongs in the file that includes this one",
                "feeds.d/a.yaml:3:1: \"defaults\" belongs in the file that includes this one",
            ])
    }

    @Test("their mistakes and their relative paths are those of the file itself") func places() throws {
        write(
            "feeds:\n  a:\n    adapter: feed\n    url: https://h.example/\n    evry: 5m\n", "feeds.d/a.yaml")
        #expect(
            texts(read()) == ["feeds.d/a.yaml:5:5: feeds.a: unknown key \"evry\"; did you mean \"every\"?"])
        write(
            "feeds: {a: {adapter: feed, url: 'https://h.example/', auth: {type: bearer, token: {file: t}}}}\n",
            "feeds.d/a.yaml")
        let plan = try #require(read().plan)
        #expect(plan.feeds[0].details.auth == .bearer(token: .file(folder.path("feeds.d/t"))))
    }

    @Test("a symbolic link is not followed, and nothing of what it names is told") func links() {
        write("hunter2: [\n", "shadow")
        write(IncludeTests.feed("a"), "feeds.d/a.yaml")
        #expect(unsafe symlink(folder.path("shadow"), folder.path("feeds.d/b.yaml")) == 0)
        let result = read()
        #expect(
            texts(result) == [
                "cannot read feeds.d/b.yaml: it is a symbolic link, which is not followed here"
            ])
        #expect(result.plan == nil)
        #expect(names(read(IncludeTests.root, .start)) == ["a", "own"])
        // A folder that is a link leads out of the tree as well.
        #expect(unsafe symlink(folder.path("feeds.d"), folder.path("linked.d")) == 0)
        let linked = read("include: linked.d/a.yaml\n" + IncludeTests.feed("own"))
        #expect(texts(linked) == ["plugins.yaml:1:10: include: there is no file \"linked.d/a.yaml\""])
    }

    @Test("a file that others may write is warned of at a check, and refused by the daemon") func writable() {
        write(IncludeTests.feed("a"), "feeds.d/a.yaml", mode: 0o666)
        let message = "feeds.d/a.yaml: every user may write this file; take that right away (chmod o-w)"
        let checked = read()
        #expect(texts(checked) == [message])
        #expect(names(checked) == ["a", "own"])
        #expect(read(IncludeTests.root, .reload).plan == nil)
        let started = read(IncludeTests.root, .start)
        #expect(names(started) == ["own"])
        #expect(started.plan?.broken.map(\.id.name) == ["a"])
        _ = unsafe chmod(folder.path("feeds.d/a.yaml"), 0o644)
        _ = unsafe chmod(folder.path("feeds.d"), 0o777)
        func again(_ mode: ConfigReader.Mode) -> ConfigResult {
            ConfigReader.read(path: folder.path("plugins.yaml"), mode: mode)
        }
        #expect(
            texts(again(.check)) == [
                "feeds.d/: every user may write this folder; take that right away (chmod o-w)"
            ])
        #expect(again(.start).plan == nil)
    }

    @Test("a file of another user is refused by the daemon", .enabled(if: geteuid() == 0, "needs root"))
    func foreign() {
        write("hunter2: [\n", "feeds.d/a.yaml")
        #expect(unsafe chown(folder.path("feeds.d/a.yaml"), 12_345, 12_345) == 0)
        let result = read(IncludeTests.root, .start)
        #expect(names(result) == ["own"])
        #expect(
            texts(result) == [
                "feeds.d/a.yaml: this file belongs to user 12345, who may change what refreshd does"
            ])
    }

    @Test("a pattern that finds nothing is right, a name that is missing is not") func missing() {
        #expect(texts(read("include: [nowhere.d/*.yaml, '?.yaml']\n" + IncludeTests.feed("a"))) == [])
        #expect(
            texts(read("include: [feeds.d/x.yaml]\n" + IncludeTests.feed("a"))) == [
                "plugins.yaml:1:10: include: there is no file \"feeds.d/x.yaml\""
            ])
    }

    @Test("a file that two patterns find is read once") func once() {
        write(IncludeTests.feed("a"), "feeds.d/a.yaml")
        let result = read("include: [feeds.d/*.yaml, feeds.d/a.yaml]\n" + IncludeTests.feed("own"))
        #expect(texts(result) == [])
        #expect(names(result) == ["a", "own"])
    }

    @Test("an included file may be empty or all comments") func empty() {
        write("# nothing yet\n", "feeds.d/a.yaml")
        write("", "feeds.d/b.yaml")
        #expect(texts(read()) == [])
    }
}
