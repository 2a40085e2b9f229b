/// The fields of a message head, in order, as received; names compare without case (RFC 9110, 5.1).
package struct HTTPHeaders: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(_ fields: [(String, String)]) {
        self.fields = fields.map { Field(name: $0.0, value: $0.1) }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The first field of this name.
    package func first(_ name: String) -> String? {
        fields.first { ASCII.equalIgnoringCase($0.name.utf8, name.utf8) }?.value
    }

    /// Every field of this name, in order.
    package func all(_ name: String) -> [String] {
        fields.filter { ASCII.equalIgnoringCase($0.name.utf8, name.utf8) }.map(\.value)
    }
}
