import RefreshCore

/// The one place where cron expressions are read.
enum CronText {
    struct Failure: Error, Equatable {
        /// The byte of the text at which reading stopped.
        let offset: Int
        let message: String
    }

    static func read(_ text: String) -> Result<Cron, Failure> {
        let fields = text.split(separator: " ")
        guard fields.count == 5 || (fields.count == 1 && text.hasPrefix("@")) else {
            let message = "a cron expression has five fields, such as \"15 4 * * 1-5\""
            return .failure(Failure(offset: 0, message: message))
        }
        return .success(Cron(text: text))
    }
}
