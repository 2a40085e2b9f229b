import RefreshCore

/// What one XML or HTML document may cost at most (threats T-U9, T-U10).
package struct MarkupLimits: Sendable, Equatable {
    /// Elements within elements; libxml2 itself goes no deeper than 256.
    package var depth = 256
    /// Elements, attributes and comments of a document: each takes up to 400 bytes of memory.
    package var nodes = 1_000_000
    /// Namespaces in force at one place: each is compared with for every name.
    package var namespaces = 4_096
    /// Steps of all XPath expressions together, as libxml2 counts them, before rows are found.
    package var steps: UInt = 50_000_000
    /// Steps more for each expression of each row.
    package var stepsPerField: UInt = 100
    /// Elements and attributes of a document that an expression of square cost is evaluated in, and the steps of all
    /// of these together: with both at their limit they take some seconds.
    package var costlyNodes = 20_000
    package var costlySteps: UInt = 250_000

    package init() {}
}
