import CZlib
import RefreshCore

/// Unpacks gzip (RFC 1952): every member, with its check sum, never more than is allowed.
enum Gunzip {
    /// Window of 32 KiB, gzip wrapping only.
    private static let windowBits: Int32 = 15 + 16
    private static let pieceSize = 65_536

    static func isGzip(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// How many bytes `packed` says that it unpacks to, of one member (RFC 1952, 2.3.1, ISIZE); four times its own where it
    /// says less. Anybody may lie about it.
    static func claim(_ packed: [UInt8]) -> Int {
        let size = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return max(size, packed.count * 4)
    }

    /// Bytes behind a whole member that do not begin another are padding or litter and are left out, as gzip(1)
    /// and browsers do; what begins a member has to be a whole one.
    static func decode(_ packed: [UInt8], limit: ByteCount) throws(TransferFailure) -> [UInt8] {
        var inflater = try Inflater(windowBits: windowBits)
        var unpacked = GrowingBytes(limit: limit.bytes)
        // At once: to grow step by step would hold twice as much for moments. What is not written to costs nothing.
        unpacked.expect(claim(packed), believing: limit.bytes)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { unsafe piece.deallocate() }
        var offset = 0
        while true {
            let turn = unsafe inflater.inflate(packed, from: offset, into: piece)
            offset += turn.read
            guard unsafe unpacked.append(UnsafeRawBufferPointer(rebasing: piece[..<turn.written])) else {
                throw .tooLargeDecoded(limit: limit)
            }
            switch turn.state {
            case .more: continue
            case .starved: throw .badCoding(reason: "it ends too early")
            case .damaged(let reason): throw .badCoding(reason: reason)
            case .memberEnd:
                guard startsMember(packed[offset...]) else { return unpacked.take() }
                try inflater.reset()
            }
        }
    }

    /// A lone first byte counts: the rest of its member was cut off.
    private static func startsMember(_ rest: ArraySlice<UInt8>) -> Bool {
        isGzip(rest) || rest.elementsEqual([0x1F])
    }
}

/// One zlib stream; its end is the end of its life.
@safe private struct Inflater: ~Copyable {
    enum State { case more, memberEnd, starved, damaged(String) }

    struct Turn {
        let read: Int
        let written: Int
        let state: State
    }

    // On the heap: zlib remembers the address of the stream that it was set up with.
    private let stream: UnsafeMutablePointer<z_stream>

    init(windowBits: Int32) throws(TransferFailure) {
        unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe refreshd_inflate_init(stream, windowBits) == Z_OK else {
            unsafe stream.deallocate()
            throw .internal("zlib cannot be set up")
        }
    }

    deinit {
        // It reports only streams that are damaged, and this one is thrown away.
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    mutating func reset() throws(TransferFailure) {
        guard unsafe inflateReset(stream) == Z_OK else { throw .internal("zlib cannot be reset") }
    }

    /// Reads `packed` from `offset` on and fills `piece` as far as it goes.
    @unsafe mutating func inflate(
        _ packed: [UInt8], from offset: Int, into piece: UnsafeMutableRawBufferPointer
    ) -> Turn {
        // zlib counts in 32 bits.
        let given = min(packed.count - offset, 1 << 30)
        let code = unsafe packed.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            // zlib reads through this pointer and never writes.
            unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
                mutating: start.map { unsafe $0 + offset })
            unsafe stream.pointee.avail_in = UInt32(given)
            unsafe stream.pointee.next_out = unsafe piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(piece.count)
            return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        }
        let read = unsafe given - Int(stream.pointee.avail_in)
        let written = unsafe piece.count - Int(stream.pointee.avail_out)
        return Turn(read: read, written: written, state: state(code, hasMoved: read > 0 || written > 0))
    }

    private func state(_ code: Int32, hasMoved: Bool) -> State {
        switch code {
        case Z_STREAM_END: return .memberEnd
        case Z_OK where hasMoved: return .more
        // Nothing read and nothing written, with room for both: the input is at its end.
        case Z_OK, Z_BUF_ERROR: return .starved
        case Z_NEED_DICT: return .damaged("it needs a dictionary")
        default:
            let message = unsafe stream.pointee.msg
            return unsafe .damaged(message.map { unsafe String(cString: $0) } ?? "zlib error \(code)")
        }
    }
}
