import RefreshCore

/// Values of ours as the API spells them.
extension JSONText {
    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { null() }
    }

    mutating func member(_ name: StaticString, _ number: (some FixedWidthInteger)?) {
        self.name(name)
        if let number { self.number(number) } else { null() }
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    mutating func member(_ name: StaticString, _ time: Timestamp?) {
        member(name, time?.rfc3339)
    }

    mutating func member(_ name: StaticString, _ note: FailureNote) {
        member(name, note.failure, at: note.at)
    }

    mutating func member(_ name: StaticString, _ failure: RefreshFailure, at time: Timestamp? = nil) {
        self.name(name)
        object { text in
            text.member("class", failure.class.rawValue)
            text.member("code", failure.code)
            text.member("detail", failure.detail)
            if let status = failure.status { text.member("status", status) }
            if let time { text.member("at", time) }
        }
    }
}
