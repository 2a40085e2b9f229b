import RefreshCore

/// Why an answer could not be read into records.
package enum FormatFailure: Error, Equatable, Sendable {
    /// No JSON text by RFC 8259; `offset` is the byte at which reading stopped.
    case jsonInvalid(offset: Int, what: String)
    /// Brackets nested deeper than `limit`.
    case jsonTooDeep(offset: Int, limit: Int)
    /// More bytes than are read of one answer, or made of it.
    case tooLarge(bytes: Int)
    /// Memory for the parser was refused.
    case outOfMemory
    /// A path or filter of the configuration visits more of this answer than is allowed.
    case queryTooCostly(limit: Int)
    /// Nothing stands where the rows should be.
    case recordsPathMissing(path: String)
    /// More rows than one answer may bring.
    case tooManyRecords(limit: Int)
    /// So many rows were without a usable key that the answer is not believed (semantics I5).
    case recordsRejected(rejected: Int, of: Int, first: String)
    /// A document of another kind; `found` says which.
    case notAFeed(found: String)
    /// XML so broken that not even its root could be read.
    case xmlInvalid(line: Int, what: String)
    /// XML whose shape alone is refused: too deep, too many attributes.
    case xmlRefused(line: Int, what: String)
    /// HTML that goes beyond what is read of it.
    case htmlRefused(line: Int, what: String)
    /// CSV text that cannot be cut into rows.
    case csvInvalid(line: Int, what: String)
    /// A CSV document without a column that the feed names.
    case columnMissing(name: String, known: [String])
    /// An XPath expression that went beyond its limit of steps, or does not fit the document.
    case xpathFailed(path: String, what: String)

    /// Stable, for programs.
    package var code: String {
        switch self {
        case .jsonInvalid: "json-invalid"
        case .jsonTooDeep: "json-too-deep"
        case .tooLarge: "too-large"
        case .outOfMemory: "out-of-memory"
        case .queryTooCostly: "query-too-costly"
        case .recordsPathMissing: "records-path-missing"
        case .tooManyRecords: "records-too-many"
        case .recordsRejected: "records-rejected"
        case .notAFeed: "not-a-feed"
        case .xmlInvalid: "xml-invalid"
        case .xmlRefused: "xml-refused"
        case .htmlRefused: "html-refused"
        case .csvInvalid: "csv-invalid"
        case .columnMissing: "column-missing"
        case .xpathFailed: "xpath-failed"
        }
    }

    /// For people: what happened and where.
    package var detail: String {
        switch self {
        case .jsonInvalid(let offset, let what): "no JSON: \(what), at byte \(offset)"
        case .jsonTooDeep(let offset, let limit):
            "JSON nested deeper than \(limit) brackets, at byte \(offset)"
        case .tooLarge(let bytes): "\(bytes) bytes are more than is read at once"
        case .outOfMemory: "no memory for the parser"
        case .queryTooCostly(let limit):
            "a path or filter took more than \(limit) steps in this answer; write it with fewer \"..\" and filters"
        case .recordsPathMissing(let path):
            "the answer has nothing at \(path), where the records should be"
        case .tooManyRecords(let limit): "more than \(limit) records in one answer"
        case .recordsRejected(let rejected, let count, let first):
            "\(rejected) of \(count) records were refused, the first because \(first)"
        case .notAFeed(let found): "no RSS, Atom or JSON feed, but \(found)"
        case .xmlInvalid(let line, let what): "unreadable XML: \(what), in line \(line)"
        case .xmlRefused(let line, let what): "XML refused: \(what), in line \(line)"
        case .htmlRefused(let line, let what): "HTML refused: \(what), in line \(line)"
        case .csvInvalid(let line, let what): "unreadable CSV: \(what), in line \(line)"
        case .columnMissing(let name, let known):
            "the CSV has no column \"\(name)\", but \(known.joined(separator: ", "))"
        case .xpathFailed(let path, let what): "the XPath \(path) failed: \(what)"
        }
    }

    /// The byte of the answer at which reading stopped, where that is known.
    package var offset: Int? {
        switch self {
        case .jsonInvalid(let offset, _), .jsonTooDeep(let offset, _): offset
        default: nil
        }
    }

    /// The line, from 1, in which reading stopped, where that is known.
    package var line: Int? {
        switch self {
        case .xmlInvalid(let line, _), .xmlRefused(let line, _), .htmlRefused(let line, _),
            .csvInvalid(let line, _):
            line
        default: nil
        }
    }

    /// As the failure of a refresh.
    package var refreshFailure: RefreshFailure { RefreshFailure(.data, code: code, detail: detail) }
}
