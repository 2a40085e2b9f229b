import CLinux
import DemoUpstream
import RefreshCore

/// From the command line to an exit status.
enum Program {
    private enum Exit {
        static let ok: Int32 = 0
        static let failure: Int32 = 1
        static let usage: Int32 = 64
    }

    static func run(_ arguments: [String]) -> Int32 {
        let options: Options
        do {
            options = try Options(arguments.dropFirst())
        } catch {
            switch error {
            case .usage(let message): say("demo-upstream: \(message)\n", to: 2)
            }
            return Exit.usage
        }
        if options.wantsHelp {
            say(Options.help, to: 1)
            return Exit.ok
        }
        guard let stop = stopSignals() else {
            say("demo-upstream: signals cannot be taken from this system\n", to: 2)
            return Exit.failure
        }
        return serve(options.port, until: stop)
    }

    private static func serve(_ port: UInt16, until stop: CInt) -> Int32 {
        do {
            let server = try Server(site: Site(), port: port)
            say("demo-upstream: serving http://127.0.0.1:\(server.port)/\n", to: 2)
            try server.run(until: stop, now: now)
            return Exit.ok
        } catch {
            say("demo-upstream: \(explanation(of: error))\n", to: 2)
            return Exit.failure
        }
    }

    private static func explanation(of failure: Server.Failure) -> String {
        switch failure {
        case .portTaken(let port):
            "port \(port) on 127.0.0.1 is taken; end the program that holds it"
                + " (`ss -ltnp 'sport = :\(port)'` names it) or choose another with --port"
        case .system(let reason): reason
        }
    }

    /// A descriptor that becomes readable when the program is to end.
    private static func stopSignals() -> CInt? {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        guard unsafe sigprocmask(SIG_BLOCK, &set, nil) == 0 else { return nil }
        let descriptor = unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC))
        return descriptor >= 0 ? descriptor : nil
    }

    private static func now() -> Moment {
        Moment(
            wall: Timestamp(microseconds: microseconds(CLOCK_REALTIME)),
            boot: BootTime(.microseconds(microseconds(CLOCK_BOOTTIME))))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Both clocks exist on every kernel that Swift runs on; the call has no other way to fail.
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private static func say(_ text: String, to descriptor: CInt) {
        let bytes = Array(text.utf8)
        // Where nobody reads it, nothing is lost.
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
