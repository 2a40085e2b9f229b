import RefreshCore

/// Follows a list from page to page: what was read goes in, where to read next comes out.
package struct Paginator: Sendable {
    /// What a page says of the list.
    package struct Facts: Sendable {
        /// Rows as the upstream sent them.
        package var count: Int
        package var keys: [RecordKey] = []
        /// The declared place of the next page, as found.
        package var next: ScalarValue?
        package var more: Bool?
        /// `total` or `total_pages`.
        package var total: Int?
        /// The keyset value of the last row.
        package var last: ScalarValue?
        /// Where the answer came from: links may be relative.
        package var base: WebURL

        package init(count: Int, base: WebURL) {
            self.count = count
            self.base = base
        }
    }

    package enum Step: Sendable, Equatable {
        case next(PagePosition)
        case stop(PageStop)
    }

    /// Where the page is that is read now.
    package private(set) var position: PagePosition
    /// Pages and rows so far.
    package private(set) var pages: Int
    package private(set) var rows: Int
    package private(set) var warnings: Set<PassWarning> = []
    /// Whether something was seen that makes absence mean nothing (semantics U14).
    package var doubts: [PassWarning] {
        [.totalChanged, .repeatedKeys, .moreWithoutNext].filter(warnings.contains)
    }
    /// Whether the pass began on a later page.
    package let goesOn: Bool
    /// The same, and what it met before is lost: it proves nothing.
    package var isResumed: Bool { warnings.contains(.resumed) }

    /// Where a pass goes on that was interrupted.
    package struct Resumption {
        package var position: PagePosition
        package var pages: Int
        package var rows: Int
        package var total: Int?
        /// Whether the store still knows the rows of the pages before.
        package var hasMarks = false

        package init(position: PagePosition, pages: Int, rows: Int, total: Int? = nil) {
            self.position = position
            self.pages = pages
            self.rows = rows
            self.total = total
        }
    }

    private let plan: PagingPlan
    private let origin: Origin
    private var empties = 0
    private var visited: Set<Int> = []
    private var keys: KeyMemory
    package private(set) var total: Int?
    /// Rows of the page before.
    private var lastCount = 0
    private var stepsBack = 0

    /// - Parameters:
    ///   - origin: the feed's, which links must not leave.
    ///   - remembersKeys: whether it matters that a key is met twice.
    ///   - resumed: of a pass that goes on.
    package init(
        _ plan: PagingPlan, origin: Origin, remembersKeys: Bool = true, resumed: Resumption? = nil
    ) {
        self.plan = plan
        self.origin = origin
        let hasPages = plan.kind != .none
        keys = KeyMemory(isOn: hasPages && (remembersKeys || plan.overlap > 0))
        position = resumed?.position ?? .first
        pages = resumed?.pages ?? 0
        rows = resumed?.rows ?? 0
        total = resumed?.total
        goesOn = resumed != nil
        // An overlap is looked for among the keys of the page before, and those are not known any more.
        if let resumed, !resumed.hasMarks || plan.overlap > 0 { warnings.insert(.resumed) }
        visited.insert(position.hashValue)
    }

    /// Takes a page in; throws where its next link must not be followed.
    package mutating func read(_ facts: Facts) throws(RefreshFailure) -> Step {
        pages += 1
        rows += facts.count
        note(facts)
        let step = try decide(facts)
        lastCount = facts.count
        keys.turnPage(facts.keys)
        guard case .next(let next) = step else { return step }
        if let most = plan.maxRecords, rows >= most { return .stop(.maxRecords) }
        if pages >= plan.maxPages {
            warnings.insert(.maxPages)
            return .stop(.maxPages)
        }
        empties = facts.count == 0 ? empties + 1 : 0
        if empties > plan.maxEmpty {
            warnings.insert(.maxEmpty)
            return .stop(.maxEmpty)
        }
        if isToken(next), !visited.insert(next.hashValue).inserted { return .stop(.loop) }
        position = next
        return step
    }

    /// The list is over, and another of the same kind begins: the next window of time.
    package mutating func turnToNextList() {
        position = .first
        total = nil
        lastCount = 0
        empties = 0
        visited = []
        keys.forget()
    }

    /// Whether an answer of this status is the end of the list, and no failure.
    package func ends(on status: Int) -> Bool { pages > 0 && plan.endOn.contains(status) }

    // MARK: - Pieces

    /// Numbers that we count up ourselves cannot run in circles.
    private func isToken(_ position: PagePosition) -> Bool {
        switch position {
        case .link, .cursor, .keyset: true
        case .first, .page, .offset: false
        }
    }

    private mutating func note(_ facts: Facts) {
        if let total = facts.total {
            if let earlier = self.total, earlier != total { warnings.insert(.totalChanged) }
            self.total = total
        }
        if keys.repeats(facts.keys, allowance: allowance) { warnings.insert(.repeatedKeys) }
    }

    /// How many rows of the page before may come again: those of the overlap, and those that a short page left out,
    /// since an offset counts rows that a server hides.
    package var allowance: Int {
        guard case .offset = plan.kind else { return 0 }
        if stepsBack > 0 { return .max }
        return plan.overlap + max(0, (plan.size ?? lastCount) - lastCount)
    }

    private mutating func decide(_ facts: Facts) throws(RefreshFailure) -> Step {
        if plan.kind == .none { return .stop(.single) }
        if facts.more == false { return .stop(.moreIsFalse) }
        switch plan.kind {
        case .none: return .stop(.single)
        case .linkHeader, .link:
            guard let next = token(facts) else { return .stop(.noNext) }
            return .next(.link(try link(next.text, from: facts.base)))
        case .cursor:
            guard let next = token(facts) else { return .stop(.noNext) }
            return .next(.cursor(next))
        case .page(_, let start, let totalPages): return page(facts, start, hasTotal: totalPages != nil)
        case .offset(_, let start, _): return offset(facts, start)
        case .keyset:
            guard facts.count > 0 else { return .stop(.emptyPage) }
            guard let last = facts.last else {
                throw RefreshFailure(
                    .data, code: "keyset-missing",
                    detail: "the last row of a page has no value where \"keyset\" looks for it")
            }
            return .next(.keyset(last))
        }
    }

    /// The next page's token; null, false and an empty text mean that there is none.
    private mutating func token(_ facts: Facts) -> ScalarValue? {
        if let next = facts.next, !next.bytes.isEmpty, next.kind != .null, next.text != "false" {
            return next
        }
        if facts.more == true {
            warnings.insert(.moreWithoutNext)
        } else if pages == 1, let size = plan.size, facts.count >= size, facts.more == nil {
            warnings.insert(.nextNeverSeen)
        }
        return nil
    }

    private func link(_ text: String, from base: WebURL) throws(RefreshFailure) -> String {
        let url: WebURL
        do {
            url = try base.resolving(text)
        } catch {
            throw RefreshFailure(
                .data, code: "next-link-invalid",
                detail: "the link to the next page is none: \(error.message)")
        }
        guard !plan.sameOrigin || url.origin == origin else {
            throw RefreshFailure(
                .upstream, code: "next-link-refused",
                detail: "the next page is at \(url.origin), and the feed at \(origin); "
                    + "\"same_origin: false\" permits it")
        }
        return url.description
    }

    private func page(_ facts: Facts, _ start: Int, hasTotal: Bool) -> Step {
        if facts.count == 0 { return .stop(.emptyPage) }
        let current = if case .page(let number) = position { number } else { start }
        if hasTotal, let total = facts.total, current - start + 1 >= total { return .stop(.totalPages) }
        return .next(.page(current + 1))
    }

    private mutating func offset(_ facts: Facts, _ start: Int) -> Step {
        let current = if case .offset(let offset) = position { offset } else { start }
        if plan.overlap > 0, lastCount > 0, current > start, !keys.known(facts.keys, all: false) {
            // Nothing of the page before shows: rows have gone, and what followed them has moved up (U15).
            stepsBack += 1
            if stepsBack > 10 { return .stop(.loop) }
            return .next(.offset(max(start, current - max(lastCount, plan.overlap))))
        }
        if facts.count == 0 { return .stop(.emptyPage) }
        if let total = facts.total, current - start + facts.count >= total { return .stop(.total) }
        guard plan.overlap > 0 else { return .next(.offset(current + facts.count)) }
        // Only what the page before has shown: this is the end.
        if facts.count <= plan.overlap, lastCount > 0, keys.known(facts.keys, all: true) {
            return .stop(.emptyPage)
        }
        let isLong = facts.count > plan.overlap
        return .next(.offset(current + (isLong ? facts.count - plan.overlap : facts.count)))
    }
}
