import RefreshCore

/// Checks that need a library which stands beside this module; whoever reads a configuration hands them over.
package struct Checkers: Sendable {
    /// Why a text cannot be used.
    package struct Failure: Error, Equatable, Sendable {
        /// The byte of the text at which reading stopped.
        package let offset: Int
        /// What is wrong and what to write instead.
        package let message: String

        package init(offset: Int = 0, message: String) {
            self.offset = offset
            self.message = message
        }
    }

    /// Whether a text is an XPath 1.0 expression, with these prefixes; nil is yes.
    package var xpath: @Sendable (_ text: String, _ namespaces: [Namespace]) -> Failure?

    package init(xpath: @escaping @Sendable (_ text: String, _ namespaces: [Namespace]) -> Failure?) {
        self.xpath = xpath
    }

    /// Takes everything that it is asked about.
    package static let none = Checkers { _, _ in nil }
}
