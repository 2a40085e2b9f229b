import RefreshCore
import RefreshTransfer

/// What a page is asked for with.
struct PageRequest {
    var values: RequestValues
    var sendings: [RequestBuilder.Sending] = []
    var link: WebURL?
    /// Parameters that only the first page sends.
    var without: [String] = []

    init(
        _ plan: PassPlan, _ start: PassStart, _ position: PagePosition, _ increments: Increments?
    ) throws(RefreshFailure) {
        let paging = plan.details.paging
        values = RequestValues(now: start.now)
        values.parent = start.parent ?? [:]
        values.since = increments?.since
        values.until = increments?.until
        values.size = paging.size
        if case .cursor(_, _, let alone) = paging.kind, position != .first { without = alone }
        let bounds = (increments?.sendings ?? []) + PageRequest.size(paging)
        sendings = bounds.filter { sending in
            if case .param(let name) = sending.place { !without.contains(name) } else { true }
        }
        try place(position, paging)
    }

    private static func size(_ paging: PagingPlan) -> [RequestBuilder.Sending] {
        guard let size = paging.size, let place = paging.sizeTo else { return [] }
        return [.init(place, ScalarValue(size))]
    }

    private mutating func place(_ position: PagePosition, _ paging: PagingPlan) throws(RefreshFailure) {
        switch position {
        case .first: begin(paging)
        case .link(let text):
            do {
                link = try WebURL(parsing: text)
            } catch {
                throw RefreshFailure(
                    .data, code: "next-link-invalid",
                    detail: "the link to the next page is none: \(error.message)")
            }
        case .cursor(let value):
            values.cursor = value
            if case .cursor(_, let place?, _) = paging.kind { sendings.append(.init(place, value)) }
        case .page(let number): set(page: number, paging)
        case .offset(let offset): set(offset: offset, paging)
        case .keyset(let value):
            values.cursor = value
            if case .keyset(_, let place?) = paging.kind { sendings.append(.init(place, value)) }
        }
    }

    /// The first page is asked for by its number too, since not every server counts from the same one.
    private mutating func begin(_ paging: PagingPlan) {
        switch paging.kind {
        case .page(_, let start, _): set(page: start, paging)
        case .offset(_, let start, _): set(offset: start, paging)
        default: break
        }
    }

    private mutating func set(page number: Int, _ paging: PagingPlan) {
        values.page = number
        if case .page(let place?, _, _) = paging.kind { sendings.append(.init(place, ScalarValue(number))) }
    }

    private mutating func set(offset: Int, _ paging: PagingPlan) {
        values.offset = offset
        if case .offset(let place?, _, _) = paging.kind { sendings.append(.init(place, ScalarValue(offset))) }
    }
}
