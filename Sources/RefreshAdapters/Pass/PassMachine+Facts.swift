import RefreshCore

extension PassMachine {
    /// What an answer says of the way on.
    static func facts(
        _ harvest: Harvest, _ values: PageValues, _ paging: PagingPlan, base: WebURL
    ) -> Paginator.Facts {
        var facts = Paginator.Facts(count: harvest.count, base: base)
        facts.keys = harvest.page.rows.map(\.key)
        facts.more = paging.more.flatMap { values[$0]?.flag }
        facts.last = harvest.last
        switch paging.kind {
        case .none, .keyset: break
        case .linkHeader(let rel):
            facts.next = LinkHeader.first(relation: rel, in: values.headers, base: base)
                .map { ScalarValue($0.reference) }
        case .link(let next), .cursor(let next, _, _): facts.next = values[next]
        case .page(_, _, let total), .offset(_, _, let total):
            facts.total = total.flatMap { values[$0]?.count }
        }
        return facts
    }
}
