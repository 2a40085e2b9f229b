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

    /// Waits for the next signal; nil where it cannot be read.
    func next() -> Int32? {
        var info = signalfd_siginfo()
        while true {
            let count = unsafe read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size)
            if count == MemoryLayout<signalfd_siginfo>.size { return Int32(info.ssi_signo) }
            guard count < 0, refreshd_errno() == EINTR else { return nil }
        }
    }
}
