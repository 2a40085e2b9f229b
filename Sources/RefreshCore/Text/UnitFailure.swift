/// Why a duration or a size could not be read.
package struct UnitFailure: Error, Equatable, Sendable {
    /// The byte of the text at which reading stopped.
    package let offset: Int
    /// What is wrong and what to write instead.
    package let message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}
