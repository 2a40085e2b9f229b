import CLinux
import Glibc

/// The signals that end the daemon, taken one by one by the main thread and by nobody else.
struct Signals {
    private let descriptor: Int32

    /// Must be called before any other thread starts: threads inherit the mask. Nil where the system refuses.
    init?() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        guard unsafe pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { return nil }
        // A client that leaves in the middle of an answer is no reason to die.
        signal(SIGPIPE, SIG_IGN)
        descriptor = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    /// How a wait has ended.
    enum Wake {
        case signal(Int32)
        /// Time is up, or the bell rang.
        case nothing
        case unreadable
    }

    /// Waits for the next signal, at most for `limit`, or until `bell` can be read; a negative one never can.
    func next(within limit: Duration?, or bell: Int32) -> Wake {
        var looks = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, or the last fraction of a millisecond would be spent spinning; an hour is as good as more.
        let milliseconds = limit.map { min(($0.inMicroseconds + 999) / 1_000, 3_600_000) } ?? -1
        guard unsafe poll(&looks, 2, Int32(milliseconds)) >= 0 else {
            return refreshd_errno() == EINTR ? .nothing : .unreadable
        }
        guard looks[0].revents != 0 else { return .nothing }
        var info = signalfd_siginfo()
        let count = unsafe read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size)
        if count == MemoryLayout<signalfd_siginfo>.size { return .signal(Int32(info.ssi_signo)) }
        return count < 0 && refreshd_errno() == EINTR ? .nothing : .unreadable
    }
}
