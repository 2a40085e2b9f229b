/// What a feed's last refresh that asked its upstream came to, and how many there were, kept over restarts
/// (refresh policy 2.1). There is one for every feed, so it is small; what exceeds its numbers stays at the greatest.
package struct PassTally: Sendable, Equatable {
    package private(set) var milliseconds: UInt32 = 0
    /// Of bodies, as they came over the wire.
    package private(set) var bytes: UInt32 = 0
    package private(set) var passes: UInt32 = 0
    package private(set) var failed: UInt32 = 0
    /// The upstream's last; 0 where no answer came.
    package private(set) var status: UInt16 = 0

    package init() {}

    /// A refresh has ended that sent at least one request.
    ///
    /// - Parameter status: the upstream's last; nil where no answer came.
    package mutating func add(status: Int?, bytes: Int, took: Duration, isFailure: Bool) {
        self.status = UInt16(clamping: status ?? 0)
        self.bytes = UInt32(clamping: bytes)
        milliseconds = UInt32(clamping: took.inMilliseconds)
        passes += passes == .max ? 0 : 1
        if isFailure { failed += failed == .max ? 0 : 1 }
    }

    // MARK: - Text

    /// Its numbers with spaces between them; nil before the first refresh.
    package var text: String? {
        passes == 0 ? nil : "\(passes) \(failed) \(status) \(bytes) \(milliseconds)"
    }

    /// What `text` was made of; numbers that are missing or wrong are 0.
    package init(text: String) {
        var numbers: [UInt32] = []
        for word in text.utf8.split(separator: 0x20) {
            numbers.append(UInt32(String(decoding: word, as: UTF8.self)) ?? 0)
        }
        numbers += repeatElement(0, count: max(5 - numbers.count, 0))
        passes = numbers[0]
        failed = numbers[1]
        status = UInt16(clamping: numbers[2])
        bytes = numbers[3]
        milliseconds = numbers[4]
    }
}
