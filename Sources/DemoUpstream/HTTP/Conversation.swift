import RefreshCore

/// One connection's talk: bytes in, bytes out, and when to hang up. It touches no socket.
struct Conversation {
    /// What is to be sent, and how long it is held back before.
    struct Delivery: Equatable {
        var bytes: [UInt8] = []
        var delay = Duration.zero
    }

    private var unread: [UInt8] = []
    /// The client is to be sent no more than what `receive` has returned.
    private(set) var isOver = false

    /// Takes what has arrived and returns the answers to every request that is whole by now. Answers to requests
    /// that arrive together leave together, with the slowest, so that they keep their order.
    mutating func receive(
        _ bytes: some Sequence<UInt8>, at now: Timestamp, for upstream: inout Upstream
    ) -> Delivery {
        unread.append(contentsOf: bytes)
        var delivery = Delivery()
        var start = 0
        while !isOver {
            switch RequestHead.parse(unread[start...]) {
            case .incomplete:
                unread.removeFirst(start)
                return delivery
            case .head(let request, let length):
                start += length
                isOver = !request.keepsAlive
                switch upstream.reply(to: request, at: now) {
                case .answer(let bytes, let delay):
                    delivery.bytes += bytes
                    delivery.delay = max(delivery.delay, delay)
                case .hangUp: isOver = true
                }
            case .failed(let failure):
                // Where one request ends and the next begins is no longer known.
                isOver = true
                let status: Status = failure == .tooLong ? .headTooLong : .badRequest
                delivery.bytes += Answer(refusing: status).bytes(at: now)
            }
        }
        unread = []
        return delivery
    }
}
