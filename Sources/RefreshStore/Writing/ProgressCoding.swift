import RefreshCore
import RefreshFormats

/// A feed's progress as it is stored: one JSON object, its members named here and nowhere else.
///
/// A field that is new needs a line in both functions and no column; a member that is missing leaves the field as
/// it is at the beginning, and one that only a newer program knows is left out. Times are microseconds.
enum ProgressCoding {
    static func bytes(_ progress: FeedProgress) -> [UInt8] {
        var text = JSONText(reserving: 256)
        text.object { text in
            text.time("due", progress.due)
            text.time("last_attempt", progress.lastAttempt)
            text.time("last_done", progress.lastDone)
            text.time("last_success", progress.lastSuccess)
            text.time("last_change", progress.lastChange)
            text.count("failures", progress.failures)
            if let failure = progress.failure {
                text.name("failure")
                write(failure, &text)
            }
            text.words("etag", progress.validators.etag)
            text.words("last_modified", progress.validators.lastModified)
            text.hash("validator_scope", progress.validatorScope)
            if let checkpoint = progress.checkpoint {
                text.name("checkpoint")
                text.object { text in
                    text.words("text", checkpoint.text)
                    text.hash("scope", checkpoint.scope)
                }
            }
            text.words("suspect", progress.suspect)
            text.words("tally", progress.tally.text)
            writePolicy(progress, &text)
        }
        return text.bytes
    }

    static func progress(_ bytes: [UInt8]) -> FeedProgress {
        var progress = FeedProgress()
        guard let stored = StoredObject(bytes) else { return progress }
        progress.due = stored.time("due")
        progress.lastAttempt = stored.time("last_attempt")
        progress.lastDone = stored.time("last_done")
        progress.lastSuccess = stored.time("last_success")
        progress.lastChange = stored.time("last_change")
        progress.failures = stored.count("failures")
        progress.failure = stored.object("failure").flatMap(failure)
        progress.validators = Validators(
            etag: stored.words("etag"), lastModified: stored.words("last_modified"))
        progress.validatorScope = stored.hash("validator_scope")
        if let checkpoint = stored.object("checkpoint"), let text = checkpoint.words("text") {
            progress.checkpoint = Checkpoint(text: text, scope: checkpoint.hash("scope"))
        }
        progress.suspect = stored.words("suspect")
        if let tally = stored.words("tally") { progress.tally = PassTally(text: tally) }
        readPolicy(stored, &progress)
        return progress
    }

    // MARK: - Failure

    private static func write(_ note: FailureNote, _ text: inout JSONText) {
        text.object { text in
            text.time("at", note.at)
            text.words("class", note.failure.class.rawValue)
            text.words("code", note.failure.code)
            text.words("detail", note.failure.detail)
            text.number("status", note.failure.status.map(Int64.init))
            text.number("retry_after", note.failure.retryAfter?.inMicroseconds)
        }
    }

    private static func failure(_ stored: StoredObject) -> FailureNote? {
        guard let at = stored.time("at"), let name = stored.words("class") else { return nil }
        let failure = RefreshFailure(
            RefreshFailure.Class(rawValue: name) ?? .internal, code: stored.words("code") ?? "",
            detail: stored.words("detail") ?? "", status: stored.number("status").map(Int.init),
            retryAfter: stored.number("retry_after").map { Duration.microseconds($0) })
        return FailureNote(failure, at: at)
    }
}

/// What was noticed about a feed's records, as it is stored.
enum NotesCoding {
    /// Empty where there is nothing to tell.
    static func bytes(_ notes: PassNotes) -> [UInt8] {
        if notes == PassNotes() { return [] }
        var text = JSONText(reserving: 64)
        text.object { text in
            text.count("duplicates", notes.duplicates)
            text.count("late", notes.late)
            text.count("same_version", notes.sameVersion)
            text.count("rejected", notes.rejected)
            text.count("trimmed", notes.isTrimmed ? 1 : 0)
            if notes.rejections.isEmpty { return }
            text.name("rejections")
            text.array { text in
                for rejection in notes.rejections {
                    text.object { text in
                        text.count("index", rejection.index)
                        text.words("reason", rejection.reason)
                    }
                }
            }
        }
        return text.bytes
    }

    static func notes(_ bytes: [UInt8]) -> PassNotes {
        var notes = PassNotes()
        guard !bytes.isEmpty, let stored = StoredObject(bytes) else { return notes }
        notes.duplicates = stored.count("duplicates")
        notes.late = stored.count("late")
        notes.sameVersion = stored.count("same_version")
        notes.rejected = stored.count("rejected")
        notes.isTrimmed = stored.count("trimmed") == 1
        notes.rejections = stored.objects("rejections").map {
            RecordPage.Rejection(index: $0.count("index"), reason: $0.words("reason") ?? "")
        }
        return notes
    }
}
