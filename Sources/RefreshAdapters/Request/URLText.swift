import RefreshCore

/// A URL's text with its placeholders filled in, each encoded for its place.
struct URLText {
    let text: String

    /// A parameter of the query with a placeholder that is not set is left out; in the path it is a failure.
    init(_ template: Template, _ values: RequestValues) throws(RefreshFailure) {
        var path = ""
        /// The query's parameters so far, with whether all is set that stands in them; nil before the query.
        var query: [(text: String, isSet: Bool)]?
        for part in template.parts {
            switch part {
            case .literal(let literal): URLText.append(literal, to: &path, &query)
            case .placeholder(let placeholder):
                let value = values[placeholder].flatMap { $0.kind == .null ? nil : $0.text }
                if let last = query?.indices.last {
                    query?[last].text += value.map(QueryList.encoded) ?? ""
                    if value == nil { query?[last].isSet = false }
                } else {
                    path += try URLText.pathPiece(value, placeholder)
                }
            }
        }
        let parameters = query?.filter(\.isSet).map(\.text) ?? []
        text = parameters.isEmpty ? path : "\(path)?\(parameters.joined(separator: "&"))"
    }

    private static func pathPiece(
        _ value: String?, _ placeholder: Placeholder
    ) throws(RefreshFailure) -> String {
        guard let value, !value.isEmpty else {
            throw RefreshFailure(
                .config, code: "placeholder-unset",
                detail: "the URL's path needs $(\(placeholder.name)), which has no value here")
        }
        // An upstream's value must not climb up in the path (RFC 3986, 5.2.4), encoded or not.
        guard !value.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) else {
            throw RefreshFailure(
                .data, code: "placeholder-refused",
                detail: "$(\(placeholder.name)) is \"\(value)\", which means another place in a path")
        }
        return QueryList.encoded(value)
    }

    private static func append(
        _ literal: String, to path: inout String, _ query: inout [(text: String, isSet: Bool)]?
    ) {
        var rest = Substring(literal.prefix { $0 != "#" })
        if query == nil {
            guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else {
                path += rest
                return
            }
            path += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            query = [("", true)]
        }
        for (number, piece) in rest.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = String(Substring(piece))
            if number == 0, let last = query?.indices.last {
                query?[last].text += text
            } else {
                query?.append((text, true))
            }
        }
    }
}
