import CXXHash
import RefreshCore

extension ContentHash {
    /// The XXH3 hash of 128 bits: made for speed, not against forgery (an upstream that forges collisions fools
    /// only the readers of its own feed).
    package static func of(_ bytes: UnsafeRawBufferPointer) -> ContentHash {
        let hash = unsafe XXH3_128bits(bytes.baseAddress, bytes.count)
        return ContentHash(high: hash.high64, low: hash.low64)
    }

    package static func of(_ bytes: ArraySlice<UInt8>) -> ContentHash {
        unsafe bytes.withUnsafeBytes { unsafe of($0) }
    }

    package static func of(_ bytes: [UInt8]) -> ContentHash { of(bytes[...]) }

    /// The hash of two texts, one behind the other.
    func combined(with second: ContentHash) -> ContentHash {
        // Any odd factor keeps the first from being taken for the second.
        ContentHash(
            high: high &* 0x9E37_79B9_7F4A_7C15 ^ second.high, low: low &* 0x9E37_79B9_7F4A_7C15 ^ second.low)
    }
}
