import RefreshCore

/// Times as they were written last. Most rows that are read one after another have theirs in common, and writing a time
/// is dear.
final class WrittenTimes {
    /// What a time is written for.
    enum Place: Int, CaseIterable { case firstSeen, listedAt, checkedAt, changedAt, freshAt }

    private var last: [(time: Timestamp, text: String, quoted: [UInt8])?] =
        Array(repeating: nil, count: Place.allCases.count)

    /// As `Timestamp.rfc3339` spells it.
    func text(_ time: Timestamp, _ place: Place) -> String {
        written(time, place).text
    }

    func member(_ name: StaticString, _ time: Timestamp?, _ place: Place, to text: inout JSONText) {
        text.name(name)
        if let time { text.raw(written(time, place).quoted) } else { text.null() }
    }

    private func written(_ time: Timestamp, _ place: Place) -> (
        time: Timestamp, text: String, quoted: [UInt8]
    ) {
        if let known = last[place.rawValue], known.time == time { return known }
        let text = time.rfc3339
        var json = JSONText()
        json.string(text)
        let made = (time: time, text: text, quoted: json.bytes)
        last[place.rawValue] = made
        return made
    }
}
