/// Which of two copies of a record is the newer, as the upstream counts (semantics C3).
package struct VersionValue: Hashable, Comparable, Sendable {
    /// A number, a time or a text.
    package let value: OrderValue

    package init(_ number: DecimalNumber) { value = .number(number) }
    package init(_ time: Timestamp) { value = .time(time) }

    /// A string: digits alone are a whole number, RFC 3339 is a time, anything else is compared as text.
    package init(_ text: [UInt8]) {
        if !text.isEmpty, text.count <= OrderValue.longest, text.allSatisfy(ASCII.isDigit),
            let number = DecimalNumber(text)
        {
            value = .number(number)
        } else if let time = Timestamp(rfc3339: text) {
            value = .time(time)
        } else {
            value = .text(text)
        }
    }

    /// Bytes to store; they compare as the versions do.
    package var stored: [UInt8] { value.stored() }

    /// Nil where `stored` is no version.
    package init?(stored: some Collection<UInt8>) {
        guard let value = OrderValue(stored: stored), value != .null else { return nil }
        self.value = value
    }

    /// Whether a copy of this version must not overwrite one of version `kept`.
    ///
    /// Versions of two kinds say nothing about each other: an upstream that turns from numbers to times starts anew.
    package func isOlder(than kept: VersionValue) -> Bool {
        switch (value, kept.value) {
        case (.number(let new), .number(let old)): new < old
        case (.time(let new), .time(let old)): new < old
        case (.text(let new), .text(let old)): new.lexicographicallyPrecedes(old)
        default: false
        }
    }

    package static func < (left: VersionValue, right: VersionValue) -> Bool { left.value < right.value }
}
