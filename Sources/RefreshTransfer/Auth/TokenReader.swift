import RefreshCore

/// Reads single values out of JSON answers; whoever knows the formats implements it.
package protocol TokenReader: Sendable {
    /// The value at a singular `path` as text: strings decoded, numbers as written; nil where there is none, or no
    /// JSON, or something that has no such text.
    func text(at path: JSONPath, in body: PaddedBytes) -> String?
}

extension TokenReader {
    func member(_ name: String, in body: PaddedBytes) -> String? {
        text(at: JSONPath([.name(Array(name.utf8))]), in: body)
    }
}
