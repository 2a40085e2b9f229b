/// A path to a value in an answer's body, in the language of the feed's format.
package enum BodyPath: Hashable, Sendable {
    /// RFC 9535.
    case json(JSONPath)
    /// XPath 1.0, checked when it was read.
    case xpath(String)
    /// The name of a column of a CSV document.
    case column(String)

    package static let root = BodyPath.json(.root)

    /// The path of a JSON document; nil of another.
    package var json: JSONPath? { if case .json(let path) = self { path } else { nil } }

    /// As it is written in the file.
    package var text: String {
        switch self {
        case .json(let path): path.text
        case .xpath(let text), .column(let text): text
        }
    }
}

/// Where a value is read in an answer.
package enum ReadPlace: Hashable, Sendable {
    case body(BodyPath)
    /// A header field, by its name.
    case header(String)
}

/// Where a value is put into a request.
package enum SendPlace: Hashable, Sendable {
    /// A parameter of the query.
    case param(String)
    /// A header field.
    case header(String)
    /// A member of a JSON body, by a singular path.
    case body(JSONPath)
}
