import RefreshCore

/// What a pass has met over its pages: kept in memory from page to page, and lost with the process (semantics U12).
struct PassMarks {
    /// The pass's number; 0 of one that is a single page.
    let pass: UInt64
    /// Where the log stood before its first page.
    let seqBefore: Seq
    /// Where the upstream was to be asked from before its first page: a pass that is not believed leaves that as it was.
    let checkpoint: Checkpoint?
    /// Every page since the first was stored, so that what none has held is truly missing.
    var isWhole: Bool
    var seen = SeenRows()
    /// Items among them that lived before the pass.
    var seenBefore = 0
    var records = 0
    var rejected = 0
    /// Records that a page held again although a page before it had them, beyond the overlap that was asked for.
    var repeated = 0
    /// Listed items that retention has put out.
    var evicted = 0
    /// A page listed stored items under other ids.
    var hasChurned = false
}
