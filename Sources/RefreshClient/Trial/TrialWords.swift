import RefreshAdapters
import RefreshCore

/// What the words of a pass mean, for people.
enum TrialWords {
    static func end(_ report: TrialReport) -> String {
        switch report.end {
        case nil:
            let next = report.notes.last?.next.map { "; the list goes on at \($0.text)" } ?? ""
            return "cut after \(Wording.count(report.notes.count, "request"))\(next)"
        case .failed(let failure, _):
            return "failed: \(failure.class.rawValue) \(failure.code): \(failure.detail)"
        case .done(let done):
            if let doubt = done.doubt { return "read to the end, which proves nothing: \(doubt)" }
            if done.isComplete { return "complete, the whole list was read" }
            return done.isDelta ? "what is new was read" : "read, but not the whole list"
        }
    }

    /// What the next pass of an incremental feed would begin from, as `--since` takes it; nil where nothing is known.
    static func next(_ report: TrialReport) -> String? {
        guard let plan = report.feed.details.incremental, let checkpoint = report.checkpoint,
            let key = PassState(checkpoint, scope: checkpoint.scope).key
        else { return nil }
        let scale: CursorScale
        switch plan.kind {
        case .token: return key.text
        case .field(let field): scale = CursorScale(field.kind, format: field.format, zone: field.zone)
        case .serverTime(let time): scale = CursorScale(time.kind)
        }
        return scale.read(kept: key).map { scale.sent($0).text }
    }

    static func stop(_ stop: PageStop) -> String {
        let words =
            switch stop {
            case .single: "the list has one page"
            case .noNext: "no next page is named"
            case .moreIsFalse: "\"more\" is false"
            case .emptyPage: "the page is empty"
            case .totalPages: "the last of the total pages"
            case .total: "the total is reached"
            case .endOn: "a status that means the end"
            case .bound: "the rest is older than what was asked for"
            case .maxPages: "as many pages as \"max_pages\" allows"
            case .maxRecords: "as many records as \"max_records\" allows"
            case .maxEmpty: "as many empty pages as \"max_empty\" allows"
            case .loop: "the next page is one that was read already"
            }
        return "\(words) (\(stop.rawValue))"
    }

    static func warning(_ word: String) -> String {
        let words: String? =
            switch PassWarning(rawValue: word) {
            case .nextNeverSeen: "the place of the next page was never there, though the first page is full"
            case .moreWithoutNext: "the upstream says that there is more, and not where"
            case .totalChanged: "the total changed while the pages were read"
            case .repeatedKeys: "a key was met on two pages"
            case .cursorUnreadable: "the cursor of a row could not be read"
            case .zoneAssumed: "times without a zone were taken for UTC"
            case .tokenMissing: "the last page held no token for the next pass"
            case .maxPages, .maxEmpty, .resumed, nil: nil
            }
        return words.map { "\($0) (\(word))" } ?? word
    }

    static func rates(_ rates: RateReading) -> String {
        let left = rates.remaining.map(String.init) ?? "an unknown number"
        let limit = rates.limit.map { " of \($0)" } ?? ""
        let reset = rates.reset.map { ", new ones in \(Wording.span($0))" } ?? ""
        return "\(left)\(limit) left\(reset)"
    }

    /// The beginning of a record. Secrets are covered before it is cut, or a part of one might stay.
    static func excerpt(_ body: [UInt8], _ mask: SecretMask) -> String {
        let spaced = body.prefix(4_096).map { $0 < 0x20 ? 0x20 : $0 }
        return SafeText.short(mask.masked(String(decoding: spaced, as: UTF8.self)), limit: 100)
    }
}
