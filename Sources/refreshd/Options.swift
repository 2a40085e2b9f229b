import RefreshCore

/// The daemon's command line; what it leaves open, the configuration says.
struct Options: Equatable {
    /// What is wrong with a command line.
    struct Failure: Error, Equatable {
        let message: String
    }

    enum Action: Equatable { case run, check, help, version }

    var action = Action.run
    var config: String?
    var socket: String?
    var state: String?

    static let help = """
        refreshd: fetches feeds once, for every program on this host

        usage: refreshd [--config FILE] [--socket PATH] [--state FOLDER] [--check]

          --config FILE   the feeds; otherwise /etc/refreshd/plugins.yaml (root)
                          or ~/.config/refreshd/plugins.yaml
          --socket PATH   where programs connect, in the place of daemon.socket.path
          --state FOLDER  where the databases live, in the place of daemon.state
          --check         read the configuration, report every fault, and end
          --version       print the version and end

        It stays in the foreground and ends on SIGTERM. Exit status: 0 after a
        stop, 1 where it cannot run, 64 for a wrong command line, 78 for a wrong
        configuration.

        """

    private static let words = ["--config", "--socket", "--state", "--check", "--help", "--version"]

    init(_ arguments: some Sequence<String>) throws(Failure) {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--config": config = try Options.value(of: word, &rest)
            case "--socket": socket = try Options.value(of: word, &rest)
            case "--state": state = try Options.value(of: word, &rest)
            case "--check": action = .check
            case "--help", "-h": action = .help
            case "--version": action = .version
            default:
                let hint = ClosestMatch.suggestion(for: word, among: Options.words).map {
                    "; did you mean \($0)?"
                }
                throw Failure(message: "unknown option \"\(word)\"\(hint ?? "; see refreshd --help")")
            }
        }
    }

    private static func value(of word: String, _ rest: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw Failure(message: "\(word) needs a value")
        }
        return value
    }
}
