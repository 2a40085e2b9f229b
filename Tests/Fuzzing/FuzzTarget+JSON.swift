import RefreshCore
import RefreshFormats

extension FuzzTarget {
    /// A body of JSON or of JSON lines: parsing, walking, spelling it canonically, and taking its records.
    static let json = FuzzTarget(
        "json",
        texts: [
            #"{"id": 1, "a": [1, -0, 1.5e+3, {"b": null}], "s": "x\u00e9\ud83d\ude00\"\\", "t": true, "é": []}"#,
            #"[{"id":"a","at":"2024-05-06T07:08:09Z"},{"id":"b","x":[[[]]]},{"id":3}]"#,
            #"{"items":[{"id":2882429806056571124,"n":{"m":[{"k":1},{"k":2}]}}],"next":"c1","gone":["x",7]}"#,
            "{\"id\":1}\n\n{\"id\":2,\"t\":true}\r\n[3]", #""\\\"\ud800""#, "[[],{},\"\",0]",
            "\u{FEFF}[1e400]",
        ],
        words: [
            #""id":"#, #""a":"#, #""s":"#, #""items":"#, "null", "true", "false", #"\ud800"#, #"\udc00"#,
            #"\u0000"#, "1e400", "-0", "{}", "[]", "\u{FEFF}",
        ]
    ) { input in
        let bytes = PaddedBytes(input)
        for rules in recordRules {
            guard let harvest = try? JSONRecords.harvest(of: bytes, rules: rules) else { continue }
            if let broken = brokenPromise(of: harvest.page) { return broken }
        }
        guard let document = try? JSONDocument(parsing: bytes) else { return nil }
        return brokenPromise(of: document)
    }

    private static let recordRules: [RecordRules] = {
        var plain = RecordRules(RecordsPlan(key: [path("$.id")]))
        plain.limits.rejectGuard = 1
        var plan = RecordsPlan(path: path("$..items"), key: [path("$.id")])
        plan.isOptional = true
        plan.filter = try? JSONFilter(parsing: "@.t != true || @.x")
        plan.fields = ["id", "a", "s"].map { FieldPlan(name: $0, path: .json(path($0))) }
        plan.drop = [path("$.a.*"), path("$.b")]
        plan.unordered = [path("$.a")]
        plan.version = .json(path("$.id"))
        var refined = RecordRules(plan)
        refined.sort = SortPlan(by: .json(path("$.at")), kind: .time)
        refined.deletedList = path("$.gone")
        refined.watched = [path("$.a[0]")]
        refined.limits.rejectGuard = 1
        var expanding = RecordsPlan(path: path("$.items"), key: [path("$.k")])
        expanding.expand = ExpandPlan(
            path: path("$.n.m"), with: [FieldPlan(name: "id", path: .json(path("$.id")))])
        var lines = RecordsPlan(key: [path("$.id")])
        lines.format = .jsonl
        return [plain, refined, RecordRules(expanding), RecordRules(lines)]
    }()

    /// A path of this file.
    static func path(_ text: String) -> JSONPath {
        guard let path = try? JSONPath(parsing: text) else { preconditionFailure("\(text) is a path") }
        return path
    }

    private static func brokenPromise(of page: RecordPage) -> String? {
        for row in page.rows {
            let body = Array(page.body(of: row))
            if (try? JSONDocument(parsing: PaddedBytes(body))) == nil { return "a record's body is no JSON" }
            if row.key.bytes.isEmpty { return "a record has an empty key" }
        }
        return nil
    }

    private static func brokenPromise(of document: JSONDocument) -> String? {
        let text = Array(document.text(of: document.root))
        guard let again = try? JSONDocument(parsing: PaddedBytes(text)), again.root.kind == document.root.kind
        else { return "a document's own text is no document" }
        if let canonical = CanonicalJSON.text(of: text[...]) {
            guard CanonicalJSON.text(of: canonical[...]) == canonical else {
                return "a canonical text has another canonical text"
            }
            if CanonicalJSON.hash(of: text[...]) != CanonicalJSON.hash(of: canonical[...]) {
                return "two spellings of a value have two hashes"
            }
        } else {
            return "a document has no canonical text"
        }
        return brokenPromise(of: document.root, in: document)
    }

    private static func brokenPromise(of node: JSONNode, in document: JSONDocument) -> String? {
        switch node.kind {
        case .object:
            for (name, value) in document.members(of: node) {
                guard let decoded = document.string(of: name) else { continue }
                guard document.member(decoded, of: node) != nil else {
                    return "a member is not found by its name"
                }
                if let broken = brokenPromise(of: value, in: document) { return broken }
            }
        case .array:
            for element in document.elements(of: node) {
                if let broken = brokenPromise(of: element, in: document) { return broken }
            }
        default:
            guard let scalar = document.scalar(of: node) else { return "a scalar has no value" }
            guard (try? JSONDocument(parsing: PaddedBytes(scalar.json))) != nil else {
                return "a scalar is not written as JSON"
            }
            for kind in SortPlan.Kind.allCases {
                let value = OrderValue(scalar, kind: kind)
                for isDescending in [true, false] {
                    let stored = value.stored(isDescending: isDescending)
                    guard let read = OrderValue(stored: stored) else {
                        return "a stored order value is not read"
                    }
                    if read.stored(isDescending: isDescending) != stored {
                        return "an order value changes by being stored"
                    }
                }
            }
        }
        return nil
    }
}
