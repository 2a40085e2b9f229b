/// A condition on a JSON value (RFC 9535, 2.3.5: a logical expression), in which `@` is the value itself.
package struct JSONFilter: Hashable, Sendable {
    /// As it was written.
    package let text: String

    package init(parsing text: String) throws(JSONPath.Failure) { self.text = text }
}
