import RefreshCore
import TestSupport
import Testing

@testable import RefreshConfig

/// The schema at the hands of a validator that knows nothing of refreshd (python3-jsonschema).
@Suite("The JSON Schema", .timeLimit(.minutes(2))) struct SchemaTests {
    private static let folder = String(#filePath.dropLast("SchemaTests.swift".count))

    /// Prints the name of each document that is valid.
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for line in open(sys.argv[2]):
            item = json.loads(line)
            if validator.is_valid(item["document"]):
                print(item["name"])
        print("end")
        """

    /// Names of the files in `folder` whose documents a validator takes, and of those that are no documents.
    private static func judged(_ folder: String) async throws -> (valid: Set<String>, unread: Set<String>) {
        let names = try fileNames(in: "\(SchemaTests.folder)\(folder)")
        return try await judged(names.map { ($0, "\(SchemaTests.folder)\(folder)/\($0)") })
    }

    private static func judged(
        _ files: [(name: String, path: String)]
    ) async throws -> (valid: Set<String>, unread: Set<String>) {
        let work = TemporaryFolder()
        var lines = ""
        var unread: Set<String> = []
        for (name, path) in files {
            let bytes = try #require(readFile(path))
            guard let document = document(bytes) else {
                unread.insert(name)
                continue
            }
            var text = JSONText()
            text.object { text in
                text.name("name")
                text.string(name)
                text.name("document")
                text.raw(document.utf8)
            }
            lines += text.text + "\n"
        }
        let program = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", "-B", "-c", validator, work.write(ConfigSchema.json, to: "schema.json"),
                work.write(lines, to: "documents.jsonl"),
            ], in: work)
        try #require(await program.wait(atMost: .seconds(60)) == .exited(0), "\(program.errors)")
        let names = program.output.split(separator: "\n").map(String.init)
        try #require(names.last == "end")
        return (Set(names.dropLast()), unread)
    }

    /// What an editor hands to its validator; nil where the text is no YAML that holds JSON's values.
    private static func document(_ bytes: [UInt8]) -> String? {
        var composer = YAMLComposer()
        guard (try? UTF8Span(validating: bytes.span)) != nil, (try? composer.read(bytes)) != nil,
            composer.documents.count == 1, YAMLRules.findings(in: composer.documents[0].root).isEmpty
        else { return nil }
        let root = MergeKeys.resolved(composer.documents[0].root)
        var reader = ValueReader(problems: ProblemList(file: "f"), folder: "")
        guard case .json(let text)? = reader.json(root, []) else { return nil }
        return text
    }

    @Test("takes every good file") func good() async throws {
        let (valid, unread) = try await SchemaTests.judged("Good")
        let names = Set(try fileNames(in: "\(SchemaTests.folder)Good"))
        #expect(names.subtracting(valid) == [])
        #expect(unread == [])
        print("schema: takes \(valid.count) of \(names.count) good files")
    }

    @Test("refuses every mistake but those that only the whole file shows") func mistakes() async throws {
        let (valid, unread) = try await SchemaTests.judged("Mistakes")
        let names = Set(try fileNames(in: "\(SchemaTests.folder)Mistakes"))
        #expect(valid == Set(BeyondSchema.files.keys))
        let refused = names.count - unread.count - valid.count
        print(
            "schema: refuses \(refused) mistakes; \(valid.count) are beyond it, \(unread.count) are no YAML")
    }

    @Test("takes every sample, and each names it in the line that editors read") func samples() async throws {
        let root = String(SchemaTests.folder.dropLast("Tests/RefreshConfigTests/".count))
        let names =
            ["plugins.yaml", "packaging/plugins.yaml"]
            + (try fileNames(in: "\(root)examples").map { "examples/\($0)" })
        let (valid, unread) = try await SchemaTests.judged(names.map { ($0, root + $0) })
        #expect(valid == Set(names) && unread.isEmpty)
        for name in names {
            let bytes = try #require(readFile(root + name))
            let first = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
            #expect(first.hasPrefix("# yaml-language-server: $schema="), "\(name)")
            #expect(first.hasSuffix("/plugins.schema.json"), "\(name)")
            #expect(ConfigReader.read(bytes: bytes, file: name).errors.isEmpty, "\(name)")
        }
    }
}
