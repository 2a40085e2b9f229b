import RefreshCore

/// What a request is for, which says what can be filled into it.
enum RequestRole: Sendable, Equatable {
    /// The pages of a feed.
    case list
    /// Single items.
    case byID
    /// An operation of the outbox.
    case action
    /// The question whether an operation arrived.
    case lookup
    /// Logins and token requests.
    case login

    /// As they are written, without `$(` and `)`; a point at the end asks for a name behind it.
    var placeholders: [String] {
        switch self {
        case .list: ["since", "until", "cursor", "page", "offset", "size", "parent.", "var.", "now"]
        case .byID: ["ids", "parent.", "var.", "now"]
        case .action: ["op.id", "op.key", "op.body", "op.body.", "parent.", "var.", "now"]
        case .lookup: ["op.id", "op.key", "op.body", "op.body.", "var.", "now"]
        case .login: ["var.", "now"]
        }
    }

    func allows(_ placeholder: Placeholder) -> Bool {
        switch placeholder {
        case .parent: placeholders.contains("parent.")
        case .operationField: placeholders.contains("op.body.")
        default: placeholders.contains(placeholder.name)
        }
    }
}
