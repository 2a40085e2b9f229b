import Glibc
import RefreshCore

/// Turns text of any charset into UTF-8. What cannot be read becomes U+FFFD; nothing fails.
package enum Transcoder {
    /// `bytes` as UTF-8, without a byte order mark. The result has three times as many bytes at most.
    package static func utf8(_ bytes: ArraySlice<UInt8>, from charset: Charset) -> [UInt8] {
        var text = bytes
        if let mark = CharsetDetector.mark(of: bytes), mark.charset == charset {
            text = bytes.dropFirst(mark.length)
        }
        if charset == .utf8 { return valid(text) }
        if charset == .windows1252 { return windows1252(text) }
        guard var decoder = Decoder(charset) else { return valid(text) }
        return decoder.utf8(of: text)
    }

    /// `bytes` as UTF-8, by the charset that they are found to be in.
    ///
    /// - Parameter label: decides, instead of the document and its header, where it is known.
    package static func utf8(
        _ bytes: ArraySlice<UInt8>, label: String? = nil, contentType: MediaType?, kind: CharsetDetector.Kind
    ) -> [UInt8] {
        let told = label.flatMap { Charset(label: $0) }
        return utf8(
            bytes, from: told ?? CharsetDetector.detect(bytes: bytes, contentType: contentType, kind: kind))
    }

    private static func valid(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard UTF8Check.firstFault(in: bytes) != nil else { return Array(bytes) }
        return Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// The five bytes that iconv refuses are controls here, as in browsers.
    private static func windows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(contentsOf: UTF8.encode(Windows1252.character(byte)) ?? replacement)
            }
        }
        return text
    }

    fileprivate static let replacement = UTF8.encodedReplacementCharacter
}

/// One conversion of iconv; closing it is the end of its life.
@safe private struct Decoder: ~Copyable {
    private let handle: iconv_t
    private let unit: Int
    /// What one call writes at most.
    private static let chunk = 1 << 16

    /// Nil where this system's iconv lacks the charset.
    init?(_ charset: Charset) {
        let opened = unsafe iconv_open("UTF-8", charset.decoder)
        // What is not a handle is minus one.
        guard let opened = unsafe opened, Int(bitPattern: opened) != -1 else { return nil }
        unsafe handle = opened
        unit = charset.unit
    }

    deinit {
        // Fails for what is no handle only.
        _ = unsafe iconv_close(handle)
    }

    mutating func utf8(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 2)
        // The converter takes what it reads from as changeable, though it changes nothing.
        var source = Array(bytes)
        var at = 0
        while at < source.count {
            guard let fault = convert(&source, &at, &text) else { continue }
            if fault == E2BIG { continue }
            // A sequence that is wrong, or one that the end cuts off.
            text.append(contentsOf: Transcoder.replacement)
            at = fault == EILSEQ ? min(at + unit, source.count) : source.count
        }
        flush(&text)
        return text
    }

    /// Converts what fits into one chunk; nil where all of it was read.
    private func convert(_ source: inout [UInt8], _ at: inout Int, _ text: inout [UInt8]) -> Int32? {
        let start = at
        var consumed = 0
        var fault: Int32?
        unsafe source.withUnsafeMutableBytes { buffer in
            unsafe withUnsafeTemporaryAllocation(byteCount: Decoder.chunk, alignment: 1) { chunk in
                var input = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self).advanced(by: start)
                var inputLeft = buffer.count - start
                var output = unsafe chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
                var outputLeft = chunk.count
                let result = unsafe iconv(handle, &input, &inputLeft, &output, &outputLeft)
                if result == -1 { fault = errno }
                consumed = buffer.count - start - inputLeft
                unsafe text.append(
                    contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<(chunk.count - outputLeft)]))
            }
        }
        at += consumed
        return fault
    }

    /// Charsets with combining characters may hold the last one back.
    private func flush(_ text: inout [UInt8]) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { chunk in
            var output = unsafe chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = chunk.count
            // Nothing is left to be wrong.
            _ = unsafe iconv(handle, nil, nil, &output, &left)
            unsafe text.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<(chunk.count - left)]))
        }
    }
}
