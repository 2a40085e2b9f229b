import RefreshCore
import RefreshFormats

/// What sub-passes need of their parents' items: which fields, and which items.
package struct ParentReading: Sendable {
    private let filter: JSONFilter?
    private let fields: [(name: String, path: JSONPath)]

    /// Nil of a feed without a parent.
    package init?(_ feed: Feed) {
        guard let parent = feed.details.parent else { return nil }
        filter = parent.filter
        var names = Set(parent.with)
        names.formUnion(feed.records.key.compactMap(ParentFields.name))
        names.formUnion(ParentReading.placeholders(feed.request))
        fields = names.sorted().compactMap { name in
            (try? JSONPath(parsing: name)).map { (name, $0) }
        }
    }

    /// The fields of an item by their names; nil where no sub-pass is wanted for it.
    package func fields(of body: [UInt8]) -> [String: ScalarValue]? {
        guard let document = try? JSONDocument(parsing: PaddedBytes(body)) else { return nil }
        if let filter, (try? document.satisfies(filter)) != true { return nil }
        var values: [String: ScalarValue] = [:]
        for field in fields { values[field.name] = document.scalar(at: field.path) }
        return values
    }

    // MARK: - Names in a request

    private static func placeholders(_ plan: RequestPlan) -> [String] {
        var templates = plan.params.map(\.value)
        if let url = plan.urlTemplate { templates.append(url) }
        for header in plan.headers {
            if case .template(let template) = header.value { templates.append(template) }
        }
        templates += plan.body?.templates ?? []
        return templates.flatMap(\.placeholders).compactMap {
            if case .parent(let field) = $0 { field } else { nil }
        }
    }
}
