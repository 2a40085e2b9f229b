import RefreshCore

/// Takes the rows out of one document after another: finds them, filters them, writes them anew where that is asked
/// for, and reads their keys.
struct JSONRowReader {
    /// What is to become of a row.
    private enum Fate {
        case kept(isDeleted: Bool)
        case filtered
        case refused(RecordRefusal)
    }

    private let rules: RecordRules
    private let path: JSONPath
    private let reader: RecordReader
    private let budget = JSONBudget()
    private var rows: RowCollector
    private var listed = 0
    private var found = 0
    private var watched: [[ScalarValue?]]
    private var deleted: [RecordKey] = []
    private var unreadableDeletions = 0
    /// The records' text where it is not the answer's.
    private var written: [UInt8] = []

    init(_ rules: RecordRules) {
        self.rules = rules
        path = rules.plan.path.json ?? .root
        reader = RecordReader(rules)
        rows = RowCollector(reserving: 0)
        watched = Array(repeating: [], count: rules.watched.count)
    }

    /// Whether records are stored as they came.
    private var keepsText: Bool {
        rules.plan.fields.isEmpty && rules.plan.drop.isEmpty && rules.constants.isEmpty
            && rules.plan.expand?.with.isEmpty ?? true
    }

    func harvest(text: [UInt8]) throws(FormatFailure) -> RecordHarvest {
        let page = try rows.page(text: keepsText ? text : written, limits: rules.limits)
        return RecordHarvest(
            page: page, listed: listed, filtered: rows.skipped, watched: watched, deleted: deleted,
            unreadableDeletions: unreadableDeletions)
    }

    // MARK: - Documents

    mutating func take(line: Int, of bytes: PaddedBytes, at range: Range<Int>) throws(FormatFailure) {
        let document: JSONDocument
        do throws(FormatFailure) {
            document = try JSONDocument(parsing: bytes, in: range, depth: rules.limits.depth)
        } catch {
            guard case .jsonInvalid(let offset, let what) = error else {
                guard case .jsonTooDeep = error else { throw error }
                return rows.reject("line \(line): \(error.detail)")
            }
            return rows.reject("line \(line) is no JSON: \(what), at its byte \(offset - range.lowerBound)")
        }
        do throws(FormatFailure) {
            try take(document)
        } catch {
            guard case .recordsPathMissing(let path) = error else { throw error }
            rows.reject("line \(line) has nothing at \(path)")
        }
    }

    mutating func take(_ document: JSONDocument) throws(FormatFailure) {
        let evaluation = JSONEvaluation(document, budget: budget)
        try takeDeletions(document, evaluation)
        var places = try records(evaluation)
        listed += places.count
        if let expand = rules.plan.expand {
            try takeExpanded(expand, places, document, evaluation)
            return
        }
        try count(places.count)
        try take(&places, document)
    }

    private mutating func count(_ more: Int) throws(FormatFailure) {
        found += more
        guard found <= rules.limits.rows else { throw .tooManyRecords(limit: rules.limits.rows) }
    }

    /// The places of the records that the upstream lists.
    private func records(_ evaluation: JSONEvaluation) throws(FormatFailure) -> [Int] {
        let document = evaluation.document
        let selected = try document.places(at: path, from: 0, evaluation)
        if selected.isEmpty || (selected.count == 1 && path.isSingular && isNull(selected[0], document)) {
            guard rules.plan.isOptional || isThere(document) else {
                throw .recordsPathMissing(path: path.text)
            }
            return []
        }
        return document.spread(selected)
    }

    private func isNull(_ place: Int, _ document: JSONDocument) -> Bool {
        document.startByte(of: place) == UInt8(ascii: "n")
    }

    /// Whether a path that selected nothing leads to a container that is merely empty, or holds nothing that fits.
    private func isThere(_ document: JSONDocument) -> Bool {
        let singular = JSONPath(Array(path.segments.prefix { JSONPath([$0]).isSingular }))
        guard singular.segments.count < path.segments.count, let container = document.singular(singular)
        else {
            return false
        }
        return container.kind == .array || container.kind == .object
    }

    private mutating func takeDeletions(
        _ document: JSONDocument, _ evaluation: JSONEvaluation
    ) throws(FormatFailure) {
        guard let list = rules.deletedList else { return }
        for place in document.spread(try document.places(at: list, from: 0, evaluation)) {
            do throws(RecordRefusal) {
                deleted.append(try reader.deletedKey(document.node(at: place), in: document))
            } catch {
                unreadableDeletions += 1
            }
        }
    }

    // MARK: - Rows

    /// Rows out of arrays within the records.
    private mutating func takeExpanded(
        _ expand: ExpandPlan, _ records: [Int], _ document: JSONDocument, _ evaluation: JSONEvaluation
    ) throws(FormatFailure) {
        var places: [Int] = []
        var writer = JSONRowWriter(rules.limits)
        for record in records {
            let evaluation = evaluation.rooted(at: record)
            let nested = document.spread(try document.places(at: expand.path, from: record, evaluation))
            try count(nested.count)
            guard !expand.with.isEmpty else {
                places.append(contentsOf: nested)
                continue
            }
            let members = try writer.members(expand.with, of: record, evaluation)
            for place in nested { try writer.append(place, of: document, adding: members) }
        }
        guard !expand.with.isEmpty else { return try take(&places, document) }
        try take(writer)
    }

    /// Rows that were written anew.
    private mutating func take(_ writer: JSONRowWriter) throws(FormatFailure) {
        guard !writer.refusals.isEmpty else { return }
        let document = try writer.document(depth: rules.limits.depth)
        var places = Array(JSONChildPlaces(document, of: 0))
        try take(&places, document, refused: writer.refusals)
    }

    private mutating func take(
        _ places: inout [Int], _ document: JSONDocument, refused: [RecordRefusal?] = []
    ) throws(FormatFailure) {
        let isPlain =
            keepsText && refused.isEmpty && rules.plan.filter == nil && rules.deletedWhen == nil
            && rules.watched.isEmpty
        if isPlain {
            rows.reserve(places.count)
            for place in places { addPlain(document.node(at: place), document) }
            return
        }
        let fates = try fates(of: places, document, refused)
        guard !rules.plan.fields.isEmpty || !rules.constants.isEmpty else {
            return try add(places, document, fates)
        }
        try addRewritten(places, document, fates)
    }

    /// A row stored as it came, of which nothing but the key is asked.
    private mutating func addPlain(_ node: JSONNode, _ document: JSONDocument) {
        do throws(RecordRefusal) {
            guard node.range.count <= rules.limits.item.bytes else {
                throw .longRecord(bytes: node.range.count, limit: rules.limits.item)
            }
            rows.add(
                try reader.row(
                    of: node, in: document, body: node.range, hash: ContentHash.of(document.text(of: node)),
                    isDeleted: false))
        } catch {
            rows.reject(error.reason)
        }
    }

    private mutating func fates(
        of places: [Int], _ document: JSONDocument, _ refused: [RecordRefusal?]
    ) throws(FormatFailure) -> [Fate] {
        let evaluation = JSONEvaluation(document, budget: budget)
        var fates: [Fate] = []
        fates.reserveCapacity(places.count)
        for (index, place) in places.enumerated() {
            if index < refused.count, let refusal = refused[index] {
                fates.append(.refused(refusal))
                continue
            }
            let evaluation = evaluation.rooted(at: place)
            if let filter = rules.plan.filter, try !evaluation.holds(filter, at: place) {
                fates.append(.filtered)
            } else if let deletion = rules.deletedWhen {
                fates.append(.kept(isDeleted: try evaluation.holds(deletion, at: place)))
            } else {
                fates.append(.kept(isDeleted: false))
            }
        }
        return fates
    }

    /// Rows of which only the named fields are stored, or that get further members.
    private mutating func addRewritten(
        _ places: [Int], _ document: JSONDocument, _ fates: [Fate]
    ) throws(FormatFailure) {
        var fates = fates
        let evaluation = JSONEvaluation(document, budget: budget)
        var writer = JSONRowWriter(rules.limits)
        let constants = rules.constants.map { JSONRowWriter.Member(name: Array($0.name.utf8), json: $0.json) }
        for (index, place) in places.enumerated() {
            guard isWritten(fates[index]) else {
                writer.appendNothing()
                continue
            }
            let evaluation = evaluation.rooted(at: place)
            if rules.plan.fields.isEmpty {
                try writer.append(place, of: document, adding: constants)
            } else {
                try writer.append(rules.plan.fields, of: place, evaluation, adding: constants)
            }
        }
        guard !places.isEmpty else { return }
        for (index, refusal) in writer.refusals.enumerated() {
            if let refusal, case .kept = fates[index] { fates[index] = .refused(refusal) }
        }
        let written = try writer.document(depth: rules.limits.depth)
        try add(Array(JSONChildPlaces(written, of: 0)), written, fates)
    }

    private func isWritten(_ fate: Fate) -> Bool {
        switch fate {
        case .kept: true
        case .filtered: !rules.watched.isEmpty
        case .refused: false
        }
    }

    private mutating func add(
        _ places: [Int], _ document: JSONDocument, _ fates: [Fate]
    ) throws(FormatFailure) {
        let evaluation = JSONEvaluation(document, budget: budget)
        for (index, place) in places.enumerated() {
            let node = document.node(at: place)
            for (column, path) in rules.watched.enumerated() {
                watched[column].append(document.scalar(at: path, from: node))
            }
            switch fates[index] {
            case .filtered: rows.skip()
            case .refused(let refusal): rows.reject(refusal.reason)
            case .kept(let isDeleted): try add(node, evaluation, isDeleted: isDeleted)
            }
        }
    }

    private mutating func add(
        _ node: JSONNode, _ evaluation: JSONEvaluation, isDeleted: Bool
    ) throws(FormatFailure) {
        let document = evaluation.document
        let start = written.count
        if !keepsText {
            let row = evaluation.rooted(at: node.place)
            try JSONCutting.append(node.place, without: rules.plan.drop, row, to: &written)
            guard written.count <= rules.limits.text.bytes else { throw .tooLarge(bytes: written.count) }
        }
        let body = keepsText ? node.range : start..<written.count
        do throws(RecordRefusal) {
            guard body.count <= rules.limits.item.bytes else {
                throw .longRecord(bytes: body.count, limit: rules.limits.item)
            }
            let hash = keepsText ? ContentHash.of(document.text(of: node)) : ContentHash.of(written[body])
            rows.add(
                try reader.row(of: node, in: document, body: body, hash: hash, isDeleted: isDeleted))
        } catch {
            if !keepsText { written.removeSubrange(start...) }
            rows.reject(error.reason)
        }
    }
}

extension JSONDocument {
    /// The places that `path` selects from the one at `place`; singular paths take the short way.
    func places(
        at path: JSONPath, from place: Int, _ evaluation: JSONEvaluation
    ) throws(FormatFailure) -> [Int] {
        if let steps = path.steps { return follow(steps, from: place).map { [$0.place] } ?? [] }
        return try evaluation.places(of: path, from: place)
    }

    /// The elements of an array that was selected alone; else what was selected.
    func spread(_ selected: [Int]) -> [Int] {
        guard selected.count == 1, startByte(of: selected[0]) == JSONByte.openArray else { return selected }
        return Array(JSONChildPlaces(self, of: selected[0]))
    }
}
