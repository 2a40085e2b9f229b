import RefreshCore

/// Text with placeholders whose variables wait for the feed that uses it: fragments and defaults serve many.
struct DraftTemplate: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case literal(String)
        case placeholder(Placeholder, SourcePlace)
        /// `$(var.NAME)`.
        case variable(String, SourcePlace)
    }

    /// As it was written.
    let written: WrittenText
    let parts: [Part]

    /// The text, where nothing in it is filled in.
    var literal: String? {
        var text = ""
        for part in parts {
            guard case .literal(let piece) = part else { return nil }
            text += piece
        }
        return text
    }
}

/// A JSON value whose strings may hold placeholders.
indirect enum DraftJSON: Equatable, Sendable {
    case object([Member])
    case array([DraftJSON])
    case text(DraftTemplate)
    /// As JSON writes it.
    case raw(String)

    struct Member: Equatable, Sendable {
        let name: String
        let place: SourcePlace
        let value: DraftJSON
    }
}

/// A parameter, which may stand several times.
struct DraftParam: Equatable, Sendable {
    let name: String
    let place: SourcePlace
    let values: [DraftTemplate]
}

/// A header field.
struct DraftHeader: Equatable, Sendable {
    enum Value: Equatable, Sendable {
        case template(DraftTemplate)
        case secret(SecretSource)
    }

    let name: String
    let place: SourcePlace
    let value: Value
}

/// A place to read, whose path waits for the adapter.
enum DraftReadPlace: Equatable, Sendable {
    case body(WrittenText)
    case header(String)
}
