import Glibc
import RefreshCore

/// One client: its socket, its talk, and what is still to be sent. A class because it owns a descriptor and
/// lives in a list.
final class Connection {
    private let socket: Descriptor
    private var conversation: Conversation
    private var outgoing: [UInt8] = []
    private var sent = 0
    /// Until when the answer is held back; nil where none is.
    private(set) var heldUntil: BootTime?
    /// When a byte last went either way.
    private(set) var lastMoved: BootTime
    /// The socket is of no more use.
    private(set) var isDone = false

    init(_ descriptor: CInt, now: BootTime) {
        socket = Descriptor(descriptor)
        conversation = Conversation()
        lastMoved = now
    }

    /// What to wait for. While an answer is on its way nothing is read, so a client that does not take its
    /// answers cannot make them pile up. While one is held back only the socket's end is of interest.
    var wait: pollfd {
        let events = heldUntil != nil ? 0 : isSending ? POLLOUT : POLLIN
        return pollfd(fd: socket.number, events: Int16(events), revents: 0)
    }

    private var isSending: Bool { sent < outgoing.count }

    /// Goes on after `wait`, where there is something to do.
    func proceed(after wait: pollfd, at now: Moment, for upstream: inout Upstream) {
        if let due = heldUntil {
            guard now.boot >= due else {
                isDone = wait.revents != 0
                return
            }
            heldUntil = nil
        } else if wait.revents == 0 {
            return
        }
        if !isSending { receive(at: now, for: &upstream) }
        if isSending, heldUntil == nil { send(at: now) }
    }

    private func receive(at now: Moment, for upstream: inout Upstream) {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(socket.number, &chunk, chunk.count, 0)
        guard count > 0 else {
            isDone = count == 0 || !isPassing(errno)
            return
        }
        lastMoved = now.boot
        let delivery = conversation.receive(chunk[..<count], at: now.wall, for: &upstream)
        outgoing = delivery.bytes
        sent = 0
        if delivery.delay > .zero { heldUntil = now.boot + delivery.delay }
        // There may be nothing to send and nothing more to hear.
        isDone = conversation.isOver && !isSending
    }

    private func send(at now: Moment) {
        let count = unsafe outgoing[sent...].withUnsafeBytes { bytes in
            unsafe Glibc.send(socket.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        }
        guard count >= 0 else {
            isDone = !isPassing(errno)
            return
        }
        sent += count
        lastMoved = now.boot
        if !isSending {
            outgoing = []
            sent = 0
            isDone = conversation.isOver
        }
    }

    private func isPassing(_ code: CInt) -> Bool { code == EAGAIN || code == EINTR }
}
