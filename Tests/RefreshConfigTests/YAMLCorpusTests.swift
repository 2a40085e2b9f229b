import RefreshConfig
import TestSupport
import Testing

/// The YAML test suite at the reader: what libyaml takes we take, and what it reads right we read right.
/// What the configuration refuses on top (repeated keys, tabs, tags) is not in play here.
@Suite("YAML corpus", .enabled(if: Corpora.path("yaml/cases.jsonl") != nil, "\(Corpora.absent)"))
struct YAMLCorpusTests {
    private struct Case {
        let name: String
        let input: [UInt8]
        let isAccepted: Bool
        let areEventsRight: Bool
        let documents: [CorpusJSON]?
    }

    private static func cases() throws -> [Case] {
        let path = try #require(Corpora.path("yaml/cases.jsonl"))
        let bytes = try #require(readFile(path))
        return try bytes.split(separator: 0x0A).map { line in
            let json = try CorpusJSON(parsing: line)
            let peer = try #require(json["peer_libyaml_0_2_5"])
            return Case(
                name: try #require(json["name"]?.string),
                input: Array(try #require(json["input"]?.string).utf8),
                isAccepted: peer["accepts"] == .bool(true),
                areEventsRight: peer["events_match"] == .bool(true),
                documents: json["expected"]?["documents"]?.array)
        }
    }

    @Test("the reader accepts and refuses what libyaml does")
    func verdicts() throws {
        let cases = try YAMLCorpusTests.cases()
        var agreed = 0
        for item in cases {
            let isAccepted = (try? YAMLEventReader.read(item.input) { _ in }) != nil
            #expect(isAccepted == item.isAccepted, "\(item.name)")
            agreed += isAccepted == item.isAccepted ? 1 : 0
        }
        print("YAML corpus: libyaml's verdict on \(agreed) of \(cases.count)")
        #expect(cases.count == 295)
    }

    @Test("values are those of the suite wherever libyaml's events are right")
    func values() throws {
        let cases = try YAMLCorpusTests.cases().filter { $0.areEventsRight && $0.documents != nil }
        var agreed = 0
        for item in cases {
            var composer = YAMLComposer()
            try composer.read(item.input)
            let values = composer.documents.map { YAMLCorpusTests.value(of: $0.root) }
            #expect(values == item.documents, "\(item.name)")
            agreed += values == item.documents ? 1 : 0
        }
        print("YAML corpus: values of \(agreed) of \(cases.count)")
        #expect(cases.count == 170)
    }

    private static func value(of node: YAMLNode) -> CorpusJSON {
        switch node.content {
        case .sequence(let nodes): return .array(nodes.map(value))
        case .mapping(let pairs):
            let members = pairs.map { ($0.key.scalar?.text ?? "?", value(of: $0.value)) }
            return .object(Dictionary(members) { _, last in last })
        case .scalar(let scalar):
            switch scalar.value {
            case .null: return .null
            case .bool(let value): return .bool(value)
            case .integer(let number): return .number(Double(number))
            case .float(let number): return .number(number)
            case .text: return .string(scalar.text)
            }
        }
    }
}
