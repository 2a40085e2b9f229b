/// A condition on a JSON value, `@`, such as `@.status == 'cancelled'` (RFC 9535, 2.3.5: `logical-expr`).
///
/// Its types were checked (2.4.3): what is compared is one value at most, and what stands alone is a truth.
package struct JSONFilter: Hashable, Sendable {
    package indirect enum Expression: Hashable, Sendable {
        /// At least two, of which one has to hold.
        case any([Expression])
        /// At least two, all of which have to hold.
        case all([Expression])
        case not(Expression)
        case comparison(Operand, Comparison, Operand)
        /// Whether a query selects anything.
        case exists(Query)
        /// Whether a string is matched by a pattern, as a whole or anywhere within it (2.4.6, 2.4.7).
        case matches(text: Operand, pattern: Operand, isWhole: Bool)
    }

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    /// One value, or nothing.
    package indirect enum Operand: Hashable, Sendable {
        case literal(Literal)
        /// A singular query.
        case query(Query)
        /// The length of a string, array or object (2.4.4).
        case length(Operand)
        /// How many nodes a query selects (2.4.5).
        case count(Query)
        /// The one node that a query selects (2.4.8).
        case value(Query)
    }

    package enum Literal: Hashable, Sendable {
        case null
        case bool(Bool)
        /// As written.
        case number([UInt8])
        /// In UTF-8 without escapes.
        case string([UInt8])
    }

    package struct Query: Hashable, Sendable {
        /// Whether it starts at `@`; else at `$`.
        package let isRelative: Bool
        package let path: JSONPath

        package init(isRelative: Bool, path: JSONPath) {
            self.isRelative = isRelative
            self.path = path
        }
    }

    package let expression: Expression

    package init(_ expression: Expression) { self.expression = expression }

    /// Reads a condition that stands alone.
    package init(parsing text: String) throws(JSONPath.Failure) {
        var reader = JSONPathReader(Array(text.utf8), isStrict: false)
        self = try reader.wholeFilter()
    }
}
