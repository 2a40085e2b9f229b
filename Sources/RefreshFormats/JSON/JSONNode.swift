/// A value within a `JSONDocument`: where its text stands, and nothing more.
package struct JSONNode: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case object, array, string, number, bool, null }

    package let kind: Kind
    /// Where the value's text stands among the document's bytes, quotes and brackets included.
    package let range: Range<Int>
    /// The value's first token.
    let place: Int
}
