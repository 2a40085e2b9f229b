import RefreshCore

/// Reads the records of a JSON answer: slices of its text, each with its key and hash.
package enum JSONRecords {
    /// The rows that `plan` finds in `bytes`, with all that stands in no other block of a feed.
    package static func page(
        of bytes: PaddedBytes, plan: RecordsPlan, limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        try harvest(of: bytes, rules: RecordRules(plan, limits: limits)).page
    }

    package static func page(
        of document: JSONDocument, plan: RecordsPlan, limits: RecordLimits = RecordLimits()
    ) throws(FormatFailure) -> RecordPage {
        try harvest(of: document, rules: RecordRules(plan, limits: limits)).page
    }

    /// The records of a JSON text, or of JSON lines where the plan says so.
    package static func harvest(
        of bytes: PaddedBytes, rules: RecordRules
    ) throws(FormatFailure) -> RecordHarvest {
        guard rules.plan.format == .jsonl else {
            return try harvest(of: JSONDocument(parsing: bytes, depth: rules.limits.depth), rules: rules)
        }
        return try harvest(ofLines: bytes, rules: rules)
    }

    /// The records of a document.
    ///
    /// Every node that the plan's path selects is a row, and one array selected alone is spread into rows. A path that
    /// leads nowhere, or to a null, is a failure unless the plan says that it may; an empty array is none. Where rows
    /// are stored as they came the page's text is the answer itself.
    package static func harvest(
        of document: JSONDocument, rules: RecordRules
    ) throws(FormatFailure) -> RecordHarvest {
        var reader = JSONRowReader(rules)
        try reader.take(document)
        return try reader.harvest(text: document.bytes.storage)
    }

    /// The records of JSON lines: one document a line, in which `path` is followed. Blank lines are skipped, a line
    /// that is no JSON is a refused record.
    package static func harvest(
        ofLines bytes: PaddedBytes, rules: RecordRules
    ) throws(FormatFailure) -> RecordHarvest {
        var reader = JSONRowReader(rules)
        var line = 0
        var start = bytes.content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            line += 1
            let end = bytes.content[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if bytes.content[start..<end].contains(where: { !JSONByte.isSpace($0) }) {
                try reader.take(line: line, of: bytes, at: start..<end)
            }
            start = end + 1
        }
        return try reader.harvest(text: bytes.storage)
    }
}
