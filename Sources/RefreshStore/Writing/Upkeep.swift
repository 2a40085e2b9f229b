import RefreshCore

/// What the store thread does between its jobs, and when: note where the logs end, empty SQLite's log, delete the rows of
/// removed feeds, give space back.
struct Upkeep {
    private let highWater: HighWater?
    private let clock = ContinuousClock()
    /// The state of the logs' ends that was noted last, as the writer counts them.
    private var noted = 0
    private var notedAt: ContinuousClock.Instant?
    private var lastWork: ContinuousClock.Instant?
    private var isTidy = false

    /// Not more often is noted where the logs end.
    private static let noteEvery: Duration = .seconds(1)
    /// So long nobody has to want anything before the log is emptied.
    private static let quiet: Duration = .seconds(5)

    init(highWater: HighWater?) { self.highWater = highWater }

    /// How long to wait for work; nil is for ever, when there is nothing left to tidy up.
    var patience: Duration? { isTidy ? nil : Upkeep.noteEvery }

    mutating func turn(_ writer: Writer, hadWork: Bool, now: ContinuousClock.Instant) {
        if hadWork {
            lastWork = now
            isTidy = false
        }
        let isNoted = note(writer, now)
        guard !hadWork, now - (lastWork ?? now) >= Upkeep.quiet || lastWork == nil else { return }
        // What fails now is tried again with the next work; nothing waits for it.
        let isMore = (try? writer.sweepRemoved()) == true || (try? writer.vacuum()) == true
        if isMore { return }
        try? writer.checkpoint()
        isTidy = isNoted
    }

    /// Everything is noted and written back.
    mutating func finish(_ writer: Writer) {
        _ = highWater?.write(writer.heads)
        // Without it the next start has to read the log, and may have to begin new epochs.
        try? writer.finish()
    }

    /// False where there is something new to note and it is too early.
    private mutating func note(_ writer: Writer, _ now: ContinuousClock.Instant) -> Bool {
        guard let highWater, writer.headChanges != noted else { return true }
        if let notedAt, now - notedAt < Upkeep.noteEvery { return false }
        notedAt = now
        if highWater.write(writer.heads) { noted = writer.headChanges }
        return true
    }
}
