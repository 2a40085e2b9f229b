/// What a feed says of how often it is worth asking (refresh policy 1, 2.2): a lower bound, never a promise.
package struct SyndicationHints: Sendable, Equatable {
    /// RSS `ttl`.
    package var ttl: Duration?
    /// The `sy` module's period, divided by its frequency.
    package var updatePeriod: Duration?
    /// Hours of the day, GMT, in which nothing changes: 0 to 23 (0.91's 24 is 0), in order.
    package var skipHours: [Int] = []
    /// Days on which nothing changes, GMT: 0 is Sunday, in order.
    package var skipDays: [Int] = []

    /// The feed will never have anything new (JSON Feed's `expired`).
    package var isExpired = false

    package init() {}

    mutating func skip(hour: [UInt8]) {
        guard let number = hour.number, number <= 24, !skipHours.contains(number % 24) else { return }
        skipHours = (skipHours + [number % 24]).sorted()
    }

    mutating func skip(day: [UInt8]) {
        let text = String(decoding: day, as: UTF8.self).lowercased()
        let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        guard let number = days.firstIndex(of: text), !skipDays.contains(number) else { return }
        skipDays = (skipDays + [number]).sorted()
    }

    mutating func setUpdatePeriod(_ period: [UInt8], frequency: Int) {
        let seconds: Int? =
            switch String(decoding: period, as: UTF8.self).lowercased() {
            case "hourly": 3_600
            case "daily": 86_400
            case "weekly": 604_800
            case "monthly": 2_592_000
            case "yearly": 31_536_000
            default: nil
            }
        updatePeriod = seconds.map { .seconds($0 / max(1, frequency)) }
    }
}
