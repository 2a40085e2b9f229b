import Glibc
import RefreshCore

/// The attributes that stand in a start tag; valid during the event only.
@safe struct XMLAttributes {
    /// Five pointers an attribute: local name, prefix, namespace, start and end of the value.
    private let pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    let count: Int
    /// Two pointers a declaration: prefix and namespace.
    private let declarations: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    private let declarationCount: Int

    init(
        pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int,
        declarations: UnsafeMutablePointer<UnsafePointer<UInt8>?>? = nil, declarationCount: Int = 0
    ) {
        unsafe self.pointers = pointers
        unsafe self.declarations = declarations
        self.declarationCount = unsafe declarations == nil ? 0 : declarationCount
        self.count = unsafe pointers == nil ? 0 : count
    }

    /// The value of the attribute of this name and prefix, trimmed; empty where there is none.
    func value(_ name: StaticString, prefix: StaticString? = nil) -> [UInt8] {
        for index in 0..<count where isNamed(index, name, prefix) { return value(at: index) }
        return []
    }

    /// The value of the first attribute of this name, whatever its prefix; empty where there is none.
    func localValue(_ name: StaticString) -> [UInt8] {
        for index in 0..<count {
            if let local = unsafe pointers?[index * 5], unsafe isEqual(local, name) {
                return value(at: index)
            }
        }
        return []
    }

    /// The value of the attribute of this name in lower case, whichever case it is written in.
    func value(_ name: String, ignoringCase: Bool) -> [UInt8] {
        for index in 0..<count {
            if let local = part(index, 0), ASCII.equalIgnoringCase(local, name.utf8) {
                return value(at: index)
            }
        }
        return []
    }

    /// `xml:lang`, with hyphens as BCP 47 has them.
    var language: [UInt8] {
        value("lang", prefix: "xml").map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    }

    /// The namespaces that the tag declares.
    var declaredNamespaces: [String] {
        (0..<declarationCount).compactMap { index in
            unsafe declarations?[index * 2 + 1].map { unsafe String(cString: $0) }
        }
    }

    /// The name as written, prefix included.
    func name(at index: Int) -> [UInt8] {
        guard let local = part(index, 0) else { return [] }
        guard let prefix = part(index, 1) else { return local }
        return prefix + [UInt8(ascii: ":")] + local
    }

    func value(at index: Int) -> [UInt8] {
        guard let start = unsafe pointers?[index * 5 + 3], let end = unsafe pointers?[index * 5 + 4] else {
            return []
        }
        let raw = unsafe UnsafeBufferPointer(start: start, count: end - start)
        guard unsafe raw.contains(UInt8(ascii: "&")) else { return unsafe Array(raw) }
        return unsafe XMLAttributes.withoutReferences(Array(raw))
    }

    // Since it does not replace entities, libxml2 leaves every ampersand of a value as `&#38;`, and nothing else.
    private static func withoutReferences(_ raw: [UInt8]) -> [UInt8] {
        let reference = Array("&#38;".utf8)
        var value: [UInt8] = []
        value.reserveCapacity(raw.count)
        var at = 0
        while at < raw.count {
            value.append(raw[at])
            at += raw[at...].starts(with: reference) ? reference.count : 1
        }
        return value
    }

    private func part(_ index: Int, _ part: Int) -> [UInt8]? {
        guard let text = unsafe pointers?[index * 5 + part] else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text)))
    }

    private func isNamed(_ index: Int, _ name: StaticString, _ prefix: StaticString?) -> Bool {
        guard let local = unsafe pointers?[index * 5], unsafe isEqual(local, name) else { return false }
        let given = unsafe pointers?[index * 5 + 1]
        guard let prefix else { return unsafe given == nil }
        return unsafe given.map { unsafe isEqual($0, prefix) } ?? false
    }

    // A static string has a zero behind it.
    private func isEqual(_ text: UnsafePointer<UInt8>, _ name: StaticString) -> Bool {
        unsafe strcmp(text, name.utf8Start) == 0
    }
}
