extension Collection<UInt8> {
    /// Calls `body` with the bytes in one piece; those that do not lie so are copied first.
    ///
    /// What reads them then need not be generic, which is what makes it fast.
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ unsafe body(Span(_unsafeElements: $0)) }) {
            return result
        }
        return body(Array(self).span)
    }
}
