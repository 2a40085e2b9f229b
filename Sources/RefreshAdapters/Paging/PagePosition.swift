import RefreshCore
import RefreshFormats

/// Where a list goes on.
package enum PagePosition: Sendable, Hashable {
    case first
    /// An absolute URL that the upstream gave.
    case link(String)
    case cursor(ScalarValue)
    case page(Int)
    case offset(Int)
    /// What comes after this value.
    case keyset(ScalarValue)

    /// For people.
    package var text: String {
        switch self {
        case .first: "the first page"
        case .link(let url): url
        case .cursor(let value): "cursor \(value.text)"
        case .page(let number): "page \(number)"
        case .offset(let offset): "offset \(offset)"
        case .keyset(let value): "after \(value.text)"
        }
    }

    // MARK: - Stored

    /// As one member of a checkpoint's object.
    func write(to text: inout JSONText) {
        switch self {
        case .first: break
        case .link(let url):
            text.name("link")
            text.string(url)
        case .cursor(let value):
            text.name("cursor")
            text.raw(value.json)
        case .page(let number):
            text.name("page")
            text.number(number)
        case .offset(let offset):
            text.name("offset")
            text.number(offset)
        case .keyset(let value):
            text.name("keyset")
            text.raw(value.json)
        }
    }

    /// Reads what `write` wrote among the members of `node`.
    init(_ document: JSONDocument, _ node: JSONNode) {
        func value(_ name: String) -> ScalarValue? {
            document.member(name, of: node).flatMap(document.scalar(of:))
        }
        if let url = value("link") {
            self = .link(url.text)
        } else if let cursor = value("cursor") {
            self = .cursor(cursor)
        } else if let page = value("page").flatMap({ Int($0.text) }) {
            self = .page(page)
        } else if let offset = value("offset").flatMap({ Int($0.text) }) {
            self = .offset(offset)
        } else if let last = value("keyset") {
            self = .keyset(last)
        } else {
            self = .first
        }
    }
}

/// Why a list was read no further.
package enum PageStop: String, Sendable, CaseIterable {
    /// The list has one page.
    case single
    case noNext = "no_next"
    case moreIsFalse = "more_false"
    case emptyPage = "empty_page"
    case totalPages = "total_pages"
    case total
    /// A status that the configuration calls the end.
    case endOn = "end_on"
    /// The rest is older than what was asked for.
    case bound
    case maxPages = "max_pages"
    case maxRecords = "max_records"
    case maxEmpty = "max_empty"
    case loop

    /// Whether the list has been read to its end.
    package var isEnd: Bool {
        switch self {
        case .single, .noNext, .moreIsFalse, .emptyPage, .totalPages, .total, .endOn, .bound: true
        case .maxPages, .maxRecords, .maxEmpty, .loop: false
        }
    }
}

/// Something about a pass that its feed's status should show.
package enum PassWarning: String, Sendable, CaseIterable {
    /// The declared place of the next page was never there, though the first page is full.
    case nextNeverSeen = "next_never_seen"
    /// The upstream says that there is more, and not where.
    case moreWithoutNext = "more_without_next"
    /// The total changed while its pages were read (semantics U14).
    case totalChanged = "total_changed"
    /// A key was met on two pages (semantics U14).
    case repeatedKeys = "repeated_keys"
    case maxPages = "max_pages"
    case maxEmpty = "max_empty"
    /// A row's cursor could not be read.
    case cursorUnreadable = "cursor_unreadable"
    /// Times without a zone were taken for UTC.
    case zoneAssumed = "zone_assumed"
    /// The last page held no token for the next pass.
    case tokenMissing = "token_missing"
    /// The pass goes on where an earlier one was interrupted, so it proves nothing.
    case resumed
}
