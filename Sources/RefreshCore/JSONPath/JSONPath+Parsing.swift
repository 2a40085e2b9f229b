/// Paths from texts (RFC 9535).
extension JSONPath {
    /// Why a text is no path, or no filter.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String

        package init(offset: Int, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// Reads a path in the notation of RFC 9535.
    ///
    /// - Parameter isStrict: whether the standard alone decides. Otherwise `$.` or `$` at the start may be left out,
    ///   so `result.orders` is a path, and a pattern that could never match anything is refused.
    package init(parsing text: String, isStrict: Bool = false) throws(JSONPath.Failure) {
        var reader = JSONPathReader(Array(text.utf8), isStrict: isStrict)
        self.init(try reader.path())
    }
}
