import RefreshCore

extension Form where Value == Rate {
    static let rate = Form(
        shape: .rate, take: { if case .rate(let rate) = $0 { rate } else { nil } }, make: { .rate($0) })
}

extension Form where Value == WebURL {
    static let url = Form(
        shape: .url, take: { if case .url(let url) = $0 { url } else { nil } }, make: { .url($0) })
}

extension Form where Value == Cron {
    static let cron = Form(
        shape: .cron, take: { if case .cron(let cron) = $0 { cron } else { nil } }, make: { .cron($0) })
}

extension Form where Value == Zone {
    static let zone = Form(
        shape: .zone, take: { if case .zone(let zone) = $0 { zone } else { nil } }, make: { .zone($0) })
}

extension Form where Value == IncrementalPlan.Start {
    static let start = Form(
        shape: .start, take: { if case .start(let start) = $0 { start } else { nil } }, make: { .start($0) })
}

extension Form where Value == SecretSource {
    static let secret = secrets(isPublic: false)
    /// A name rather than a secret, which may come from where secrets do.
    static let publicSecret = secrets(isPublic: true)

    private static func secrets(isPublic: Bool) -> Form {
        Form(
            shape: .secret(isPublic: isPublic),
            take: { if case .secret(let source) = $0 { source } else { nil } }, make: { .secret($0) })
    }
}

extension Form where Value == DraftTemplate {
    static func requestURL(_ role: RequestRole) -> Form { drafts(.requestURL(role)) }
    static func template(_ role: RequestRole) -> Form { drafts(.template(role)) }

    private static func drafts(_ shape: Shape) -> Form {
        Form(
            shape: shape, take: { if case .template(let draft) = $0 { draft } else { nil } },
            make: { .template($0) })
    }
}

extension Form where Value == [DraftParam] {
    static func params(_ role: RequestRole) -> Form {
        Form(
            shape: .params(role), take: { if case .params(let params) = $0 { params } else { nil } },
            make: { .params($0) })
    }
}

extension Form where Value == [DraftHeader] {
    static func headers(_ role: RequestRole) -> Form {
        Form(
            shape: .headers(role), take: { if case .headers(let headers) = $0 { headers } else { nil } },
            make: { .headers($0) })
    }
}

extension Form where Value == DraftJSON {
    static func json(_ role: RequestRole) -> Form {
        Form(
            shape: .jsonTemplate(role), take: { if case .draft(let draft) = $0 { draft } else { nil } },
            make: { .draft($0) })
    }
}
