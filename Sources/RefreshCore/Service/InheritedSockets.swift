/// Listening sockets that the service manager made and handed over (sd_listen_fds(3)).
package struct InheritedSockets: Equatable, Sendable {
    /// What was handed over cannot be used.
    package struct Failure: Error, Equatable, Sendable {
        package let message: String
    }

    /// The variables that this reads, and that no child may see.
    package static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// The descriptor of the socket for every program; nil where none was handed over.
    package private(set) var api: Int32?
    /// The descriptor of the socket for those who run the host.
    package private(set) var control: Int32?

    /// Nothing.
    package init() {}

    /// Reads what the environment says; nothing where it speaks to another process.
    ///
    /// - Parameter process: our own number.
    package init(environment: [String: String], process: Int32) throws(Failure) {
        guard let pid = environment["LISTEN_PID"], let text = environment["LISTEN_FDS"] else { return }
        guard Int32(pid) == process else { return }
        guard let count = Int32(text), (0...16).contains(count) else {
            throw Failure(message: "LISTEN_FDS is \"\(SafeText.short(text))\"; a small number was expected")
        }
        let names = environment["LISTEN_FDNAMES"].map {
            $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }
        // A single socket without a name can only be for programs.
        if names == nil, count == 1 {
            api = InheritedSockets.first
            return
        }
        for place in 0..<count {
            let name = names.flatMap { Int(place) < $0.count ? $0[Int(place)] : nil } ?? "unknown"
            try take(name, InheritedSockets.first + place)
        }
    }

    /// Whether nothing was handed over, so that both sockets are ours to make.
    package var isEmpty: Bool { api == nil && control == nil }

    /// `SD_LISTEN_FDS_START`.
    private static let first: Int32 = 3

    private mutating func take(_ name: String, _ descriptor: Int32) throws(Failure) {
        switch name {
        case "api" where api == nil: api = descriptor
        case "control" where control == nil: control = descriptor
        case "api", "control":
            throw Failure(message: "two sockets named \"\(name)\" were handed over; one each can be used")
        default:
            throw Failure(
                message: "a socket named \"\(SafeText.short(name))\" was handed over; "
                    + "FileDescriptorName= has to be api or control")
        }
    }
}
