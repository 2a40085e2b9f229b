import RefreshCore

/// Times, sizes and counts as people read them.
package enum Wording {
    /// How long ago `time` was, such as `3m ago`; a time yet to come, as after a step of the clock, is `now`.
    package static func age(of time: Timestamp, now: Timestamp) -> String {
        let age = now - time
        return age < .seconds(1) ? "now" : "\(span(age)) ago"
    }

    /// How long until `time`, such as `in 4m`; a time that has passed is `now`.
    package static func due(at time: Timestamp, now: Timestamp) -> String {
        let left = time - now
        return left <= .zero ? "now" : "in \(span(left))"
    }

    /// One number and one unit: `90s`, `119m`, `47h`, `3d`.
    package static func span(_ duration: Duration) -> String {
        let seconds = max(0, duration.inMilliseconds / 1_000)
        switch seconds {
        case 0: return "<1s"
        case ..<120: return "\(seconds)s"
        case ..<7_200: return "\(seconds / 60)m"
        case ..<172_800: return "\(seconds / 3_600)h"
        default: return "\(seconds / 86_400)d"
        }
    }

    /// A size in binary units: `812 B`, `1.2 KiB`, `64 MiB`.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1_024 else { return "\(max(0, bytes)) B" }
        let units = ["KiB", "MiB", "GiB", "TiB"]
        var value = Double(bytes) / 1_024
        var unit = 0
        while value >= 1_023.5 && unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
        return "\(number) \(units[unit])"
    }

    /// `1 feed`, `3 feeds`.
    package static func count(_ number: Int, _ noun: String) -> String { count(number, noun, "\(noun)s") }

    /// `1 entry`, `3 entries`.
    package static func count(_ number: Int, _ noun: String, _ nouns: String) -> String {
        "\(number) \(number == 1 ? noun : nouns)"
    }
}
