import RefreshCore

/// The one place where cron expressions are read.
enum CronText {
    static func read(_ text: String) -> Result<Cron, Cron.Failure> {
        do throws(Cron.Failure) {
            return .success(try Cron(parsing: text))
        } catch {
            return .failure(error)
        }
    }
}
