import CLinux
import Glibc

/// One connection to the scripted upstream; lives on its own thread.
struct UpstreamConnection: ~Copyable {
    enum Ending { case peerLeft, hungUp, stopped }

    private let descriptor: Int32
    /// Readable from the moment that the upstream stops.
    private let stop: Int32
    private var received: [UInt8] = []

    init(descriptor: Int32, stop: Int32) {
        self.descriptor = descriptor
        self.stop = stop
    }

    deinit { _ = close(descriptor) }

    // MARK: - Requests

    /// The next request's head and body; nil at the end of the connection.
    mutating func next() -> (UpstreamRequestHead, [UInt8])? {
        while true {
            if let first = received.first, !(0x41...0x5A).contains(first) {
                // No method: a TLS greeting, say. Real servers do not wait for the rest either.
                _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
                return nil
            }
            if let end = headEnd(), let head = UpstreamRequestHead(received[..<end]) {
                while received.count < end + head.bodyLength { guard receive() else { return nil } }
                let body = Array(received[end..<(end + head.bodyLength)])
                received.removeSubrange(..<(end + head.bodyLength))
                return (head, body)
            }
            guard receive() else { return nil }
        }
    }

    /// Where the empty line behind a head ends.
    private func headEnd() -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard received.count >= mark.count else { return nil }
        return (mark.count...received.count).first { received[($0 - mark.count)..<$0].elementsEqual(mark) }
    }

    private mutating func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            guard wait(for: POLLIN) == nil else { return false }
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            if count > 0 {
                received.append(contentsOf: chunk[..<count])
                return true
            }
            if count == 0 || errno != EAGAIN { return false }
        }
    }

    // MARK: - Answers

    /// Performs `steps`; nil where the connection may serve another request.
    func perform(_ steps: [UpstreamAnswer.Step]) -> Ending? {
        for step in steps {
            let ending: Ending? =
                switch step {
                case .send(let bytes): send(bytes)
                case .wait(let gate): wait(at: gate)
                case .pause(let milliseconds): pause(milliseconds)
                case .sendForever(let bytes): sendForever(bytes)
                case .hangUp: .hungUp
                case .reset: reset()
                }
            if let ending { return ending }
        }
        return nil
    }

    private func send(_ bytes: [UInt8]) -> Ending? {
        var sent = 0
        while sent < bytes.count {
            if let ending = wait(for: POLLOUT) { return ending }
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno != EAGAIN { return .peerLeft }
            sent += max(count, 0)
        }
        return nil
    }

    private func sendForever(_ bytes: [UInt8]) -> Ending {
        while true {
            if let ending = send(bytes) { return ending }
        }
    }

    /// Closing then sends a reset in the place of an orderly end.
    private func reset() -> Ending {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        // Where it is refused the peer sees a plain close, which the test that asked for a reset will notice.
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        return .hungUp
    }

    // MARK: - Waiting

    private func wait(for events: Int32) -> Ending? {
        var polled = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
        ]
        _ = unsafe poll(&polled, nfds_t(polled.count), -1)
        return polled[1].revents != 0 ? .stopped : nil
    }

    private func pause(_ milliseconds: Int) -> Ending? {
        var polled = [hangUp, pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
        _ = unsafe poll(&polled, nfds_t(polled.count), Int32(milliseconds))
        return ending(polled)
    }

    private func wait(at gate: UpstreamGate?) -> Ending? {
        gate?.arrive()
        while true {
            var polled = [
                hangUp, pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: gate?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&polled, nfds_t(polled.count), -1)
            if let ending = ending(polled) { return ending }
            if gate?.takePassage() == true { return nil }
        }
    }

    private var hangUp: pollfd { pollfd(fd: descriptor, events: Int16(POLLRDHUP), revents: 0) }

    private func ending(_ polled: [pollfd]) -> Ending? {
        if polled[1].revents != 0 { return .stopped }
        return polled[0].revents != 0 ? .peerLeft : nil
    }
}
