import CLinux

/// The three descriptors that every program is given, or should be.
enum StandardDescriptors {
    /// Puts something in the place of those that are closed: the next file or socket would take their number, and get
    /// what is meant for standard output.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where refreshd_fcntl(descriptor, F_GETFD, 0) < 0 {
            // Opened the wrong way round, so that reads and writes fail as they would have.
            let way = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            // The lowest free number is the one wanted; where even this fails, nothing can be done about it.
            _ = unsafe refreshd_open("/dev/null", way, 0)
        }
    }
}
