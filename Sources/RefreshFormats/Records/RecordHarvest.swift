import RefreshCore

/// What the records of one answer came to.
package struct RecordHarvest: Sendable {
    package let page: RecordPage
    /// The records of the answer as the upstream counts them: before nested ones were spread and others filtered.
    package let listed: Int
    /// Rows that `where` left out.
    package let filtered: Int
    /// For each watched path the value of every row found, in order; nil where a row has none.
    package let watched: [[ScalarValue?]]
    /// Keys of the document's list of deletions.
    package let deleted: [RecordKey]
    /// Entries of that list that are no keys.
    package let unreadableDeletions: Int
}
