/// An element's name as libxml2 reports it; valid during the event only.
///
/// libxml2 interns names for the time of a document, so equal pointers are equal names.
@safe struct XMLName {
    /// What a name can be recognised by within one document.
    struct Identity: Hashable {
        let local: UInt
        let prefix: UInt
        let namespace: UInt

        /// A few bits of it, spread well (Fibonacci hashing).
        func slot(of count: Int) -> Int {
            let mixed = UInt64(local &+ prefix &* 3 &+ namespace &* 5) &* 0x9E37_79B9_7F4A_7C15
            return Int(mixed >> 32) & (count - 1)
        }
    }

    private let localName: UnsafePointer<UInt8>
    private let prefixName: UnsafePointer<UInt8>?
    private let uri: UnsafePointer<UInt8>?

    init(local: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?, uri: UnsafePointer<UInt8>?) {
        unsafe localName = local
        unsafe prefixName = prefix
        unsafe self.uri = uri
    }

    var identity: Identity {
        unsafe Identity(
            local: UInt(bitPattern: localName), prefix: UInt(bitPattern: prefixName),
            namespace: UInt(bitPattern: uri))
    }

    var local: String { unsafe String(cString: localName) }
    var prefix: String? { unsafe prefixName.map { unsafe String(cString: $0) } }
    var namespace: String? { unsafe uri.map { unsafe String(cString: $0) } }
}
