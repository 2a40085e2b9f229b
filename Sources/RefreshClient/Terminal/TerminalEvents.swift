import CLinux
import Glibc
import RefreshCore

/// What happens at a terminal: keys, a new size, a signal to end, and the time for another look.
///
/// A thread of its own waits for them; it ends with the process.
final class TerminalEvents: Sendable {
    enum Event: Equatable, Sendable { case key(Key), resized, tick, ended }

    enum Key: Equatable, Sendable {
        case quit, up, down, pageUp, pageDown, home, end

        /// The keys in what a terminal has sent at once; others mean nothing.
        static func read(_ bytes: [UInt8]) -> [Key] {
            switch String(decoding: bytes, as: UTF8.self) {
            case "\u{1B}[A", "\u{1B}OA": return [.up]
            case "\u{1B}[B", "\u{1B}OB": return [.down]
            case "\u{1B}[5~": return [.pageUp]
            case "\u{1B}[6~", " ": return [.pageDown]
            case "\u{1B}[H", "\u{1B}[1~", "\u{1B}OH": return [.home]
            case "\u{1B}[F", "\u{1B}[4~", "\u{1B}OF": return [.end]
            case let text where text.hasPrefix("\u{1B}"): return text.utf8.count == 1 ? [.quit] : []
            default: return bytes.compactMap(letter)
            }
        }

        private static func letter(_ byte: UInt8) -> Key? {
            switch byte {
            // Ctrl-C and Ctrl-D, which arrive as keys here.
            case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: .quit
            case UInt8(ascii: "k"): .up
            case UInt8(ascii: "j"): .down
            case UInt8(ascii: "g"): .home
            case UInt8(ascii: "G"): .end
            default: nil
            }
        }
    }

    let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation
    /// Whether a tick waits to be looked at: no second one is added, so that neither fills the queue.
    private let isTicked = Locked(false)
    private let interval: Duration
    private let input: Int32
    private let signals: Int32

    private static let signalNumbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH]

    /// Keeps the signals for `events`; before any other thread starts, since a signal goes to whichever thread takes it.
    static func keepSignals() {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signalNumbers { unsafe sigaddset(&set, number) }
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// - Parameter interval: from one tick to the next.
    init(interval: Duration, input: Int32 = STDIN_FILENO) throws(ClientFailure) {
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        self.interval = interval
        self.input = input
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in TerminalEvents.signalNumbers { unsafe sigaddset(&set, number) }
        signals = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard signals >= 0 else { throw .cannotStart(detail: SystemError.text(refreshd_errno())) }
        let own = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, runTerminalEvents, own.toOpaque())
        guard code == 0 else {
            unsafe own.release()
            throw .cannotStart(detail: SystemError.text(code))
        }
        _ = pthread_detach(thread)
    }

    fileprivate func run() {
        let clock = ContinuousClock()
        var next = clock.now + interval
        var isListening = true
        while true {
            let left = clock.now.duration(to: next)
            if left <= .zero {
                tick()
                next = clock.now + interval
                continue
            }
            var waited = [
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isListening ? input : -1, events: Int16(POLLIN), revents: 0),
            ]
            let milliseconds =
                left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
            _ = unsafe poll(&waited, nfds_t(waited.count), Int32(clamping: milliseconds + 1))
            if waited[0].revents != 0 { takeSignals() }
            if waited[1].revents != 0 { isListening = takeKeys() }
        }
    }

    private func tick() {
        let isWaiting = isTicked.withLock { isTicked in
            defer { isTicked = true }
            return isTicked
        }
        if !isWaiting { sink.yield(.tick) }
    }

    /// What a tick asks for was done; the next one counts again.
    func looked() { isTicked.withLock { $0 = false } }

    private func takeSignals() {
        var info = signalfd_siginfo()
        while unsafe read(signals, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            sink.yield(info.ssi_signo == UInt32(SIGWINCH) ? .resized : .ended)
        }
    }

    /// False where no more keys will come.
    private func takeKeys() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(input, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && refreshd_errno() == EINTR }
        for key in Key.read(Array(bytes[..<count])) { sink.yield(.key(key)) }
        return true
    }
}

private func runTerminalEvents(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<TerminalEvents>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
