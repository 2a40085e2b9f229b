import CPCRE2
import RefreshCore

/// A compiled pattern of `match` or `search`.
@safe final class Pattern {
    /// A class, since what PCRE compiled has to be freed once, when the last evaluation that knows it is over.
    private let code: OpaquePointer
    private let match: OpaquePointer
    private let context: OpaquePointer

    /// Megabytes of a match's working memory, in kibibytes; and how deep backtracking goes.
    private static let heapLimit: UInt32 = 16_384
    private static let depthLimit: UInt32 = 100_000

    /// Nil where PCRE refuses the pattern (too large, numbers too high) or has no memory.
    init?(_ pattern: IRegexp, isWhole: Bool) {
        // Never empty, so that there is an address.
        let text =
            Array((isWhole ? #"\A(?:"# : "(?:").utf8) + pattern.pattern
            + Array((isWhole ? #")\z"# : ")").utf8)
        var error: CInt = 0
        var offset = 0
        let options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
        guard
            let code = unsafe text.withUnsafeBufferPointer({
                unsafe pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil)
            })
        else { return nil }
        guard let match = unsafe pcre2_match_data_create_8(1, nil) else {
            unsafe pcre2_code_free_8(code)
            return nil
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_match_data_free_8(match)
            unsafe pcre2_code_free_8(code)
            return nil
        }
        // Both return 0 always.
        _ = unsafe pcre2_set_heap_limit_8(context, Pattern.heapLimit)
        _ = unsafe pcre2_set_depth_limit_8(context, Pattern.depthLimit)
        unsafe self.code = code
        unsafe self.match = match
        unsafe self.context = context
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(match)
        unsafe pcre2_code_free_8(code)
    }

    /// Whether `text` matches; nil where that takes more than `limit` steps. What is not UTF-8 matches nothing.
    func matches(_ text: ArraySlice<UInt8>, limit: Int) -> Bool? {
        _ = unsafe pcre2_set_match_limit_8(context, UInt32(clamping: limit))
        // An empty buffer may have no address, which PCRE took for a fault before 10.41.
        let subject = text.isEmpty ? [0] : text
        let result = unsafe subject.withUnsafeBufferPointer {
            unsafe pcre2_match_8(code, $0.baseAddress, text.count, 0, 0, match, context)
        }
        switch result {
        case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
            return nil
        default: return result >= 0
        }
    }
}

/// The patterns that an evaluation met, compiled once each; those of a document are as many as it likes.
final class PatternShelf {
    private struct Name: Hashable {
        let text: KeyBytes
        let isWhole: Bool
    }

    /// Nil is a pattern that is none.
    private var patterns: [Name: Pattern?] = [:]
    private static let most = 64
    /// Bytes of a pattern; compiling takes time too.
    private static let longest = 4_096

    /// The pattern, or nil where the text is none of RFC 9485.
    func pattern(_ text: ArraySlice<UInt8>, isWhole: Bool) -> Pattern? {
        guard text.count <= PatternShelf.longest else { return nil }
        let name = Name(text: KeyBytes(Array(text)), isWhole: isWhole)
        if let known = patterns[name] { return known }
        if patterns.count >= PatternShelf.most { patterns.removeAll(keepingCapacity: true) }
        let compiled = (try? IRegexp(parsing: name.text.bytes)).flatMap { Pattern($0, isWhole: isWhole) }
        patterns[name] = .some(compiled)
        return compiled
    }
}
