import CLinux
import RefreshCore

/// Writes to a program and reads from it until it has ended, on the thread that calls.
struct PipeConversation: ~Copyable {
    /// Of the standard error that is kept.
    private static let mostSaid = 1_000
    private static let piece = 65_536

    private let pipe: ChildPipe
    private let input: PaddedBytes
    private var child: PipeChild
    private let bell: PipeBell
    private var written = 0
    private var output: [UInt8] = []
    private var said: [UInt8] = []
    /// Why it was told to end.
    private var reason: PipeFailure?
    private var killAt: SuspendingClock.Instant?
    private var buffer = [UInt8](repeating: 0, count: PipeConversation.piece)

    init(_ pipe: ChildPipe, _ input: PaddedBytes, _ child: consuming PipeChild, _ bell: PipeBell) {
        self.pipe = pipe
        self.input = input
        self.child = child
        self.bell = bell
    }

    /// All that the program wrote, where it ended well.
    mutating func run() throws(PipeFailure) -> [UInt8] {
        let deadline = SuspendingClock.now + pipe.limits.time
        if input.count == 0 { child.closeInput() }
        while !turn(until: killAt ?? deadline) {
            let now = SuspendingClock.now
            if let killAt {
                if now >= killAt { child.signal(SIGKILL) }
            } else if now >= deadline {
                stop(.tooSlow(program: pipe.program, limit: pipe.limits.time))
            }
        }
        // Whoever it has left behind writes no more; what was written last is still in the pipes.
        child.signal(SIGKILL)
        readOutput()
        for _ in 0..<16 { readErrors() }
        let ending = child.reap()
        if let reason { throw reason }
        if ending == .status(0) { return output }
        throw failure(ending)
    }

    private func failure(_ ending: PipeEnding) -> PipeFailure {
        switch ending {
        // What a shell says of a program that it cannot run (POSIX, 2.8.2).
        case .status(126), .status(127): .cannotStart(program: pipe.program, reason: message)
        case .status(let code):
            .failed(program: pipe.program, how: "ended with status \(code)", said: message)
        case .signal(let number):
            .failed(program: pipe.program, how: "was ended by signal \(number)", said: message)
        case .unknown: .failed(program: pipe.program, how: "ended in a way that is not known", said: message)
        }
    }

    /// One wait and what comes of it; true once the program has ended.
    private mutating func turn(until moment: SuspendingClock.Instant) -> Bool {
        let writes = written < input.count && reason == nil ? child.input : -1
        // A descriptor of -1 is passed over (poll(2)).
        let alarm = reason == nil ? bell.descriptor : -1
        var entries = [(child.end, POLLIN), (alarm, POLLIN), (writes, POLLOUT), (child.output, POLLIN)]
            .map { pollfd(fd: $0.0, events: Int16($0.1), revents: 0) }
        entries.append(pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0))
        let left = (moment - SuspendingClock.now) / .milliseconds(1)
        // An interrupted or early return only makes one more turn; after a kill the end comes soon.
        _ = unsafe poll(&entries, nfds_t(entries.count), Int32(min(max(left.rounded(.up), 10), 60_000)))
        if entries[1].revents != 0 { stop(.cancelled) }
        if entries[2].revents != 0 { writeInput() }
        if entries[3].revents != 0 { readOutput() }
        if entries[4].revents != 0 { readErrors() }
        return entries[0].revents != 0
    }

    private mutating func stop(_ failure: PipeFailure) {
        guard reason == nil else { return }
        reason = failure
        killAt = SuspendingClock.now + pipe.limits.grace
        child.closeInput()
        child.signal(SIGTERM)
    }

    private mutating func writeInput() {
        let end = min(written + PipeConversation.piece, input.count)
        let sent = unsafe input.storage.withUnsafeBytes { bytes in
            unsafe write(child.input, bytes.baseAddress.map { unsafe $0 + written }, end - written)
        }
        if sent > 0 {
            written += sent
            if written == input.count { child.closeInput() }
        } else if refreshd_errno() != EAGAIN && refreshd_errno() != EINTR {
            // It reads no more, as is its right.
            written = input.count
            child.closeInput()
        }
    }

    private mutating func readOutput() {
        while let count = read(child.output) {
            if count == 0 { return child.closeOutput() }
            guard output.count + count <= pipe.limits.output.bytes else {
                child.closeOutput()
                return stop(.tooLarge(program: pipe.program, limit: pipe.limits.output))
            }
            output += buffer[..<count]
        }
    }

    private mutating func readErrors() {
        // One piece at a time: who writes without end must not hold up the look at the clock.
        guard let count = read(child.errors) else { return }
        if count == 0 { return child.closeErrors() }
        said += buffer[..<count].prefix(PipeConversation.mostSaid - said.count)
    }

    /// Nil where nothing is there now.
    private mutating func read(_ descriptor: Int32) -> Int? {
        guard descriptor >= 0 else { return nil }
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe CLinux.read(descriptor, bytes.baseAddress, bytes.count)
        }
        if count < 0 { return refreshd_errno() == EAGAIN || refreshd_errno() == EINTR ? nil : 0 }
        return count
    }

    private var message: String {
        let clean = said.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        return String(decoding: ASCII.trimmed(clean[...]), as: UTF8.self)
    }
}
