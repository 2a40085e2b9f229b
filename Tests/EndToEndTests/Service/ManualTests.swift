import RefreshCore
import RefreshFormats
import TestSupport
import Testing

@Suite("Manual pages", .timeLimit(.minutes(2))) struct ManualTests {
    private static let pages = ["refreshd.8", "refreshctl.1", "plugins.yaml.5"]

    @Test(
        "render without a warning", .enabled(if: Repository.tool("groff") != nil, "groff is not installed"),
        arguments: pages)
    func render(page: String) async throws {
        let groff = try #require(Repository.tool("groff"))
        let path = "\(Repository.root)/packaging/man/\(page)"
        let shown = try await Repository.run(
            groff, ["-mandoc", "-Tutf8", "-rLL=78n", "-ww", "-P-cbou", path])
        #expect(shown.ending == .exited(0) && shown.errors.isEmpty, "\(shown.errors)")
        #expect(shown.output.contains("NAME") && shown.output.contains("SEE ALSO"))
    }

    @Test("name every option of the daemon, and every command and exit status that is said elsewhere")
    func complete() async throws {
        let daemon = try await Repository.run("\(productsFolder)/refreshd", ["--help"])
        let page = try #require(Repository.text("packaging/man/refreshd.8"))
        let options = daemon.output.split(whereSeparator: { !($0.isLetter || $0 == "-") })
            .filter { $0.hasPrefix("--") }
        #expect(options.count > 4)
        for option in Set(options) {
            #expect(page.contains("Fl -\(option.dropFirst(2))"), "refreshd.8 lacks \(option)")
        }
    }

    @Test("and the page in docs/ and the shells name every command and option of refreshctl")
    func commands() async throws {
        let program = "\(productsFolder)/refreshctl"
        let help = try await Repository.run(program, ["help", "--json"])
        let document = try JSONDocument(parsing: PaddedBytes(help.output))
        let manual = try #require(Repository.text("packaging/man/refreshctl.1"))
        let page = try #require(Repository.text("docs/refreshctl.md"))
        let offered = try await Repository.run(program, ["_complete", ""]).output.split(separator: "\n")
            .map { $0.split(separator: "\t")[0] }
        let commands = document.list("commands")
        #expect(commands.count > 20)
        for command in commands {
            let name = try #require(document.text("name", in: command))
            #expect(manual.contains("\n.It Cm \(name)"), "refreshctl.1 lacks \(name)")
            #expect(page.contains("`\(name)`") || page.contains("`\(name) "), "refreshctl.md lacks \(name)")
            #expect(offered.contains { $0 == name }, "the shells do not offer \(name)")
            let options =
                document.member(Array("options".utf8), of: command)
                .map { document.elements(of: $0).compactMap { document.string(of: $0) } } ?? []
            for option in options.map({ String(decoding: $0, as: UTF8.self) }) {
                #expect(manual.contains("Fl -\(option.dropFirst(2))"), "refreshctl.1 lacks \(option)")
            }
        }
    }

    @Test("the file that the package installs is right, and so is the example of the manual")
    func configuration() async throws {
        let page = try #require(Repository.text("packaging/man/plugins.yaml.5"))
        let start = try #require(page.firstRange(of: "version: 1\n"))
        let example = page[start.lowerBound...]
        let folder = TemporaryFolder()
        folder.write(
            String(example.firstRange(of: "\n.Ed").map { example[..<$0.lowerBound] } ?? ""), to: "man.yaml")
        // Of the installed one a warning says that there are no feeds in it yet.
        let files = [
            ["--deny-warnings", folder.path("man.yaml")], ["\(Repository.root)/packaging/plugins.yaml"],
        ]
        for words in files {
            let checked = try await Repository.run("\(productsFolder)/refreshctl", ["check"] + words)
            #expect(checked.ending == .exited(0), "\(checked.output) \(checked.errors)")
        }
    }
}
