import CLinux
import RefreshCore

enum PipeEnding: Equatable {
    case status(Int32)
    case signal(Int32)
    /// Somebody else has asked first.
    case unknown
}

/// A running program and the ends of its pipes; it is killed and reaped with its owner at the latest.
struct PipeChild: ~Copyable {
    /// Of its group too.
    let process: pid_t
    /// Readable once it has ended.
    let end: Int32
    private(set) var input: Int32
    private(set) var output: Int32
    private(set) var errors: Int32
    private var isReaped = false

    /// The limits hold before the program runs, for its children too: a shell sets them and becomes the program. Where
    /// the host allows less than a limit, the host's holds.
    private static let script =
        "for l in c:0 n:$1 d:$2 t:$3; do command ulimit -${l%:*} ${l#*:} 2>/dev/null || :; done; "
        + "shift 3; exec \"$@\""
    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"]

    init(_ pipe: ChildPipe) throws(PipeFailure) {
        func failure(_ code: Int32) -> PipeFailure {
            .cannotStart(program: pipe.program, reason: PipeChild.words(for: code))
        }
        // Theirs is the first of each, ours the second.
        var ends: [(theirs: Int32, ours: Int32)] = []
        defer { for end in ends { _ = close(end.theirs) } }
        for isInput in [true, false, false] {
            var pair: [Int32] = [-1, -1]
            guard unsafe pipe2(&pair, O_CLOEXEC) == 0 else {
                let code = refreshd_errno()
                for end in ends { _ = close(end.ours) }
                throw failure(code)
            }
            let (theirs, ours) = isInput ? (pair[0], pair[1]) : (pair[1], pair[0])
            _ = refreshd_fcntl(ours, F_SETFL, O_NONBLOCK)
            ends.append((theirs, ours))
        }
        let limits = pipe.limits
        let seconds = Int((limits.time / .seconds(1)).rounded(.up)) + 1
        let arguments =
            ["/bin/sh", "-c", PipeChild.script, "sh", "\(limits.files)", "\(limits.memory.bytes / 1_024)"]
            + ["\(seconds)"] + pipe.command
        var started: pid_t = 0
        let code = PipeChild.spawn(arguments, ends.map(\.theirs), &started)
        let watch = code == 0 ? refreshd_pidfd_open(started) : -1
        guard watch >= 0 else {
            let reason = code == 0 ? refreshd_errno() : code
            if code == 0 { PipeChild.end(started) }
            for end in ends { _ = close(end.ours) }
            throw failure(reason)
        }
        process = started
        end = watch
        (input, output, errors) = (ends[0].ours, ends[1].ours, ends[2].ours)
    }

    deinit {
        if !isReaped { PipeChild.end(process) }
        for descriptor in [end, input, output, errors] where descriptor >= 0 { _ = close(descriptor) }
    }

    /// To all of its group.
    func signal(_ number: Int32) { _ = kill(-process, number) }

    mutating func closeInput() { PipeChild.shut(&input) }
    mutating func closeOutput() { PipeChild.shut(&output) }
    mutating func closeErrors() { PipeChild.shut(&errors) }

    /// How it ended; to be called once, after its end.
    mutating func reap() -> PipeEnding {
        isReaped = true
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if refreshd_errno() != EINTR { return .unknown }
        }
        return refreshd_exited(status) == 0
            ? .signal(refreshd_term_signal(status)) : .status(refreshd_exit_status(status))
    }

    // MARK: - Pieces

    private static func shut(_ descriptor: inout Int32) {
        if descriptor >= 0 { _ = CLinux.close(descriptor) }
        descriptor = -1
    }

    private static func end(_ process: pid_t) {
        _ = kill(-process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, refreshd_errno() == EINTR {}
    }

    private static func words(for code: Int32) -> String {
        unsafe strerrordesc_np(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    /// 0, or the error.
    private static func spawn(
        _ arguments: [String], _ descriptors: [Int32], _ process: inout pid_t
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        // These fail only for want of memory.
        _ = unsafe posix_spawn_file_actions_init(&actions)
        _ = unsafe posix_spawnattr_init(&attributes)
        defer {
            _ = unsafe posix_spawn_file_actions_destroy(&actions)
            _ = unsafe posix_spawnattr_destroy(&attributes)
        }
        for (target, descriptor) in descriptors.enumerated() {
            _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        _ = unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        _ = unsafe posix_spawn_file_actions_addchdir_np(&actions, "/")
        var none = sigset_t()
        var usual = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe sigemptyset(&usual)
        // What a parent ignores, its children would too.
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD] {
            _ = unsafe sigaddset(&usual, number)
        }
        _ = unsafe posix_spawnattr_setsigmask(&attributes, &none)
        _ = unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        _ = unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var envp = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        return unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &argv, &envp)
    }
}
