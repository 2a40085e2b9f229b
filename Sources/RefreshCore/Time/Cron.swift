/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
package struct Cron: Hashable, Sendable {
    /// As it was written.
    package let text: String

    package init(text: String) { self.text = text }
}
