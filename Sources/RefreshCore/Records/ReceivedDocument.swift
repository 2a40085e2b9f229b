/// An opaque document, as an `http` feed has received it.
package struct ReceivedDocument: Sendable, Equatable {
    /// Content coding undone.
    package let bytes: ArraySlice<UInt8>
    /// Of the bytes.
    package let hash: ContentHash
    /// As the answer's Content-Type says.
    package let type: String?
    package let validators: Validators

    package init(bytes: ArraySlice<UInt8>, hash: ContentHash, type: String?, validators: Validators) {
        self.bytes = bytes
        self.hash = hash
        self.type = type
        self.validators = validators
    }
}
