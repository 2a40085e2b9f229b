import CLinux

/// A descriptor that lines and documents are written to, each write to its end.
package struct Output: Sendable {
    private let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package static let standard = Output(descriptor: STDOUT_FILENO)
    package static let errors = Output(descriptor: STDERR_FILENO)

    package func write(lines: [String]) throws(ClientFailure) {
        var bytes: [UInt8] = []
        for line in lines {
            bytes.append(contentsOf: line.utf8)
            bytes.append(0x0A)
        }
        try write(bytes)
    }

    package func write(_ bytes: [UInt8]) throws(ClientFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe CLinux.write(descriptor, $0.baseAddress, $0.count)
            }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else {
                try settle(refreshd_errno())
            }
        }
    }

    /// Returns where the write may be tried again.
    private func settle(_ code: Int32) throws(ClientFailure) {
        switch code {
        case EINTR: return
        case EAGAIN:
            // Somebody who shares the pipe or terminal has made it non-blocking.
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&wanted, 1, -1) < 0, refreshd_errno() != EINTR else { return }
            throw .outputFailed(code: refreshd_errno())
        case EPIPE: throw .outputClosed
        default: throw .outputFailed(code: code)
        }
    }

    /// Some file systems tell only at the end that there was no room.
    package func finish() throws(ClientFailure) {
        guard close(descriptor) != 0 else { return }
        let code = refreshd_errno()
        // A program may be started without standard output; every write would have failed before.
        if code != EBADF && code != EINTR { throw .outputFailed(code: code) }
    }

    /// The size of the terminal behind the descriptor; nil where there is none, or it does not say.
    var terminalSize: Screen.Size? {
        let (columns, rows) = (refreshd_terminal_columns(descriptor), refreshd_terminal_rows(descriptor))
        return columns > 0 && rows > 0 ? Screen.Size(columns: Int(columns), rows: Int(rows)) : nil
    }

    /// The width of the terminal behind the descriptor; nil where there is no terminal, 0 where it has no width.
    package var terminalColumns: Int? {
        let columns = refreshd_terminal_columns(descriptor)
        return columns < 0 ? nil : Int(columns)
    }
}
