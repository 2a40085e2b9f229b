import CLinux
import RefreshConfig
import RefreshCore

/// From the command line to an exit status.
enum Program {
    /// Exit statuses, as sysexits.h has them where it has any.
    enum Exit {
        static let ok: Int32 = 0
        static let failure: Int32 = 1
        static let usage: Int32 = 64
        static let configuration: Int32 = 78
    }

    static func run(_ arguments: [String]) -> Int32 {
        // First of all, so that no signal finds the daemon unprepared and no thread takes one.
        guard let signals = Signals() else {
            complain("refreshd: signals cannot be taken from this system")
            return Exit.failure
        }
        // It holds secrets: no core dump and no debugger of the same user. The kernel refuses this to nobody.
        _ = refreshd_set_undumpable()
        // Few threads: more arenas than two only keep memory that another thread has freed.
        _ = mallopt(M_ARENA_MAX, 2)
        let options: Options
        do {
            options = try Options(arguments.dropFirst())
        } catch {
            complain("refreshd: \(error.message)")
            return Exit.usage
        }
        switch options.action {
        case .help: return say(Options.help)
        case .version: return say("refreshd \(Version.text)\n")
        case .run, .check: break
        }
        let environment = Environment.read()
        guard let (plan, sources) = plan(options, environment) else { return Exit.configuration }
        if options.action == .check { return Exit.ok }
        return Daemon(plan, sources, options, environment).run(until: signals)
    }

    /// The configuration, or nil after every fault in it was reported.
    private static func plan(_ options: Options, _ environment: Environment) -> (Plan, ConfigSources)? {
        let path = options.config ?? environment.places.config
        let result = ConfigReader.read(
            path: path, mode: options.action == .check ? .check : .start, checkers: .all)
        for problem in result.problems { complain(problem.text) }
        return result.plan.map { ($0, result.sources) }
    }

    static func complain(_ text: String) { StandardErrorLog.write(StandardErrorLog.line(text)) }

    private static func say(_ text: String) -> Int32 {
        let bytes = Array(text.utf8)
        return unsafe write(1, bytes, bytes.count) == bytes.count ? Exit.ok : Exit.failure
    }
}
