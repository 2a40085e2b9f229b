import RefreshCore
import RefreshFormats

/// Where the rows of an XML document or of a table in a page are, and what is in them.
enum MarkupGuess {
    private static let deepest = 6
    /// Children that are looked at, and columns that are written.
    private static let most = (children: 50, columns: 12, tables: 20)

    // MARK: - XML

    /// False where nothing is repeated in the document.
    static func fill(_ suggestion: inout Suggestion, xml bytes: ArraySlice<UInt8>, type: MediaType?) -> Bool {
        do {
            let document = try MarkupDocument(parsing: bytes, as: .xml, contentType: type)
            guard let path = try rows(of: document) else { return false }
            let fields = try fields(of: path, in: document)
            guard !fields.isEmpty else { return false }
            let count = try number("count(\(path))", in: document)
            suggestion.what += " of \(Wording.count(count, "row"))"
            return try write(fields, of: path, rows: count, in: document, to: &suggestion)
        } catch {
            return false
        }
    }

    /// Down from the root to the first element that has several children of one name.
    private static func rows(of document: borrowing MarkupDocument) throws(FormatFailure) -> String? {
        var path = try step("/*", in: document).map { "/\($0)" }
        for _ in 0..<deepest {
            guard let parent = path else { return nil }
            let names = try children(of: parent, in: document)
            let counts = Dictionary(names.map { ($0, 1) }) { $0 + $1 }
            if let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value > 1 {
                return "\(parent)/\(most.key)"
            }
            // The child with the most in it.
            var next: (name: String, size: Int)?
            for name in names {
                let size = try number("count(\(parent)/\(name)//*)", in: document)
                if size > next?.size ?? 0 { next = (name, size) }
            }
            path = next.map { "\(parent)/\($0.name)" }
        }
        return nil
    }

    private static func children(
        of path: String, in document: borrowing MarkupDocument
    ) throws(FormatFailure) -> [String] {
        let count = min(try number("count(\(path)/*)", in: document), most.children)
        var names: [String] = []
        for place in 0..<count {
            if let name = try step("\(path)/*[\(place + 1)]", in: document) { names.append(name) }
        }
        return names
    }

    /// How the element at `path` is written in a path: by its local name where it is in a namespace.
    private static func step(
        _ path: String, in document: borrowing MarkupDocument
    ) throws(FormatFailure) -> String? {
        guard let name = try words("local-name(\(path))", in: document), !name.isEmpty else { return nil }
        let space = try words("namespace-uri(\(path))", in: document) ?? ""
        return space.isEmpty ? name : "*[local-name()='\(name)']"
    }

    /// Attributes and children of the rows, by their names.
    private static func fields(
        of path: String, in document: borrowing MarkupDocument
    ) throws(FormatFailure) -> [(name: String, path: String)] {
        var fields: [(name: String, path: String)] = []
        let attributes = min(try number("count(\(path)[1]/@*)", in: document), most.columns)
        for place in 0..<attributes {
            let name = try words("name(\(path)[1]/@*[\(place + 1)])", in: document) ?? ""
            if !name.isEmpty, !name.contains(":") { fields.append((name, "@\(name)")) }
        }
        for name in try children(of: "\(path)[1]", in: document) where fields.count < most.columns {
            let local = name.hasPrefix("*[") ? String(name.dropFirst(16).dropLast(2)) : name
            if !fields.contains(where: { $0.name == local }) { fields.append((local, name)) }
        }
        return fields.isEmpty ? [("text", ".")] : fields
    }

    // MARK: - Tables

    /// False where the page has no table with several rows.
    static func fill(_ suggestion: inout Suggestion, table bytes: ArraySlice<UInt8>, type: MediaType?) -> Bool
    {
        do {
            let document = try MarkupDocument(parsing: bytes, as: .html, contentType: type)
            var best: (path: String, rows: Int)?
            for place in 0..<min(try number("count(//table)", in: document), most.tables) {
                let path = "(//table)[\(place + 1)]"
                let count = try number("count(\(path)//tr[td])", in: document)
                if count > max(1, best?.rows ?? 0) { best = (path, count) }
            }
            guard let best else { return false }
            let rows = "\(best.path)//tr[td]"
            suggestion.what += " of \(Wording.count(best.rows, "row"))"
            let heads = try document.texts(at: "(\(best.path)//tr[th])[1]/th")
            let count = min(try number("count((\(rows))[1]/td)", in: document), most.columns)
            var fields: [(name: String, path: String)] = []
            for place in 0..<count {
                let head =
                    place < heads.count ? String(decoding: ASCII.trimmed(heads[place]), as: UTF8.self) : ""
                let isNew = !head.isEmpty && !head.hasSuffix("[]") && !fields.contains { $0.name == head }
                fields.append((isNew ? head : "column_\(place + 1)", "td[\(place + 1)]"))
            }
            return try write(fields, of: rows, rows: best.rows, in: document, to: &suggestion)
        } catch {
            return false
        }
    }

    // MARK: - Settings

    private static func write(
        _ fields: [(name: String, path: String)], of path: String, rows: Int,
        in document: borrowing MarkupDocument, to suggestion: inout Suggestion
    ) throws(FormatFailure) -> Bool {
        var columns: [KeyGuess.Column] = []
        for field in fields {
            // One text a row, or it says nothing of which row lacks it.
            let texts = try document.texts(at: "\(path)/\(field.path)")
            guard texts.count == rows else { continue }
            columns.append(
                KeyGuess.Column(
                    path: field.path, name: field.name, values: texts.map { Array(ASCII.trimmed($0)) }))
        }
        let pairs = fields.map { "\(YAMLText.scalar($0.name)): \(YAMLText.scalar($0.path))" }
        suggestion.set(
            "records", "{path: \(YAMLText.scalar(path)), fields: {\(pairs.joined(separator: ", "))}}")
        let time = KeyGuess.time(of: columns)
        if let key = KeyGuess.key(of: columns.filter { $0.path != time }) ?? KeyGuess.key(of: columns) {
            suggestion.set("key", KeyGuess.text(key), because: key.reason)
        } else {
            suggestion.set("key", YAMLText.scalar(fields[0].path), because: "a guess: nothing is in each row")
        }
        if let time { suggestion.set("sort", "{by: \(YAMLText.scalar(time)), type: time}") }
        return true
    }

    private static func number(
        _ expression: String, in document: borrowing MarkupDocument
    ) throws(FormatFailure) -> Int {
        try words(expression, in: document).flatMap { Int($0) } ?? 0
    }

    private static func words(
        _ expression: String, in document: borrowing MarkupDocument
    ) throws(FormatFailure) -> String? {
        try document.text(at: expression).map { String(decoding: $0, as: UTF8.self) }
    }
}
