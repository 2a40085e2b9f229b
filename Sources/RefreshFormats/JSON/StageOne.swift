import CSimdJSON
import RefreshCore

/// simdjson's first stage: checks UTF-8, quotes and control characters, and finds where every structural
/// character and every scalar starts.
enum StageOne {
    enum Failure: Error, Equatable {
        case outOfMemory
        /// The text is refused; where and why has to be looked for.
        case refused
    }

    /// One parser of simdjson; what it found is valid until it is used again.
    ///
    /// Sendable, since it cannot be copied, so that one thread has it at a time, and simdjson ties it to none.
    @safe private struct Parser: ~Copyable, @unchecked Sendable {
        private let handle: OpaquePointer
        let capacity: Int

        init(capacity: Int) throws(Failure) {
            guard let made = unsafe refreshd_simdjson_create(capacity) else { throw .outOfMemory }
            unsafe handle = made
            self.capacity = capacity
        }

        deinit { unsafe refreshd_simdjson_destroy(handle) }

        func index(_ bytes: UnsafePointer<UInt8>, count: Int) throws(Failure) -> UnsafeBufferPointer<UInt32> {
            guard unsafe refreshd_simdjson_stage1(handle, bytes, count) == 0 else { throw .refused }
            return unsafe UnsafeBufferPointer(
                start: refreshd_simdjson_indexes(handle), count: refreshd_simdjson_count(handle))
        }
    }

    /// A parser's index memory is touched only as it is used, so a parser for small inputs costs nothing to make
    /// and one for medium inputs is worth keeping; larger ones would hold on to too much.
    private static let worthKeeping = 65_536...1_048_576
    private static let idle = Locked<Parser?>(nil)

    /// Calls `body` with the starts of the tokens of `count` bytes, which have simdjson's padding behind them.
    static func index<Result>(
        _ bytes: UnsafePointer<UInt8>, count: Int, _ body: (UnsafeBufferPointer<UInt32>) -> Result
    ) throws(Failure) -> Result {
        let parser = try parser(for: count)
        let indexes = try unsafe parser.index(bytes, count: count)
        let result = unsafe body(indexes)
        if worthKeeping.contains(parser.capacity) { keep(parser) }
        return result
    }

    private static func parser(for count: Int) throws(Failure) -> Parser {
        guard count >= worthKeeping.lowerBound, count <= worthKeeping.upperBound else {
            return try Parser(capacity: max(count, 64))
        }
        if let kept = idle.withLock({ $0.take() }), kept.capacity >= count { return kept }
        // A power of two, so that documents of about one size share a parser.
        return try Parser(capacity: 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
    }

    private static func keep(_ parser: consuming Parser) {
        var parser: Parser? = parser
        idle.withLock { swap(&$0, &parser) }
    }
}
