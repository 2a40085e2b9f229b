import RefreshCore

/// Writes rows anew, one after another, as the elements of one JSON array.
struct JSONRowWriter {
    struct Member {
        let name: [UInt8]
        let json: [UInt8]
    }

    private let limits: RecordLimits
    private var text: [UInt8] = [JSONByte.openArray]
    /// For each row why it could not be written, in whose place a null then stands.
    private(set) var refusals: [RecordRefusal?] = []

    init(_ limits: RecordLimits) { self.limits = limits }

    /// What was written, as a document.
    func document(depth: Int) throws(FormatFailure) -> JSONDocument {
        // The array around all rows, and the object around a row's fields.
        try JSONDocument(parsing: PaddedBytes(text + [JSONByte.closeArray]), depth: depth + 2)
    }

    // MARK: - Rows

    /// A row that nobody will read.
    mutating func appendNothing() {
        separate()
        text.append(contentsOf: "null".utf8)
        refusals.append(nil)
    }

    /// The object at `place` with further members, which take the place of its own of the same name.
    mutating func append(_ place: Int, of document: JSONDocument, adding members: [Member])
        throws(FormatFailure)
    {
        let node = document.node(at: place)
        guard node.kind == .object else { return refuse(.noObject(kind: node.kind.described)) }
        let names = members.map(\.name)
        let own = document.members(of: node).filter { member in
            !names.contains { document.comparable(member.name.place).elementsEqual($0) }
        }
        try append(
            own.map {
                Member(name: Array(document.text(of: $0.name)), json: Array(document.text(of: $0.value)))
            },
            added: members)
    }

    /// An object of the named fields alone, and of further members.
    mutating func append(
        _ fields: [FieldPlan], of place: Int, _ evaluation: JSONEvaluation, adding members: [Member]
    ) throws(FormatFailure) {
        let names = members.map(\.name)
        let own = try self.members(fields, of: place, evaluation).filter { !names.contains($0.name) }
        try append([], added: own + members)
    }

    /// The fields that are there, read from the value at `place`.
    func members(
        _ fields: [FieldPlan], of place: Int, _ evaluation: JSONEvaluation
    ) throws(FormatFailure) -> [Member] {
        let document = evaluation.document
        var members: [Member] = []
        for field in fields {
            guard let path = field.path.json else { continue }
            let places = try document.places(at: path, from: place, evaluation)
            let name = Array(field.name.utf8)
            if field.name.hasSuffix("[]") {
                var json = JSONText()
                json.array { json in
                    for place in places { json.raw(document.text(of: document.node(at: place))) }
                }
                members.append(Member(name: name.dropLast(2), json: json.bytes))
            } else if let first = places.first {
                members.append(Member(name: name, json: Array(document.text(of: document.node(at: first)))))
            }
        }
        return members
    }

    // MARK: - Pieces

    /// `own` members have their names quoted already.
    private mutating func append(_ own: [Member], added: [Member]) throws(FormatFailure) {
        // A large part copied into many rows would fill the memory: the bound comes before the writing.
        let size = (own + added).reduce(text.count) { $0 + $1.name.count + $1.json.count }
        guard size <= limits.text.bytes else { throw .tooLarge(bytes: size) }
        separate()
        text.append(JSONByte.openObject)
        for (index, member) in own.enumerated() {
            if index > 0 { text.append(JSONByte.comma) }
            text.append(contentsOf: member.name)
            text.append(JSONByte.colon)
            text.append(contentsOf: member.json)
        }
        for (index, member) in added.enumerated() {
            if index + own.count > 0 { text.append(JSONByte.comma) }
            var name = JSONText()
            name.string(member.name)
            text.append(contentsOf: name.bytes)
            text.append(JSONByte.colon)
            text.append(contentsOf: member.json)
        }
        text.append(JSONByte.closeObject)
        refusals.append(nil)
    }

    private mutating func refuse(_ refusal: RecordRefusal) {
        appendNothing()
        refusals[refusals.count - 1] = refusal
    }

    private mutating func separate() {
        if text.count > 1 { text.append(JSONByte.comma) }
    }
}
