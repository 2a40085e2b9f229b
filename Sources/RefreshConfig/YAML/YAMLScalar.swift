/// A scalar: its text, how it was written, and what it means by the core schema of YAML 1.2 (10.3.2).
///
/// libyaml speaks YAML 1.1 in syntax and gives text only; what `no`, `0660` or `22:22` is, is decided here.
package struct YAMLScalar: Equatable, Sendable {
    package enum Style: Equatable, Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    package enum Value: Equatable, Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        /// Also integers beyond 64 bits.
        case float(Double)
        case text
    }

    /// After quotes and escapes; the number as it was written.
    package let text: String
    package let style: Style
    package let value: Value

    package init(text: String, style: Style, tag: String? = nil) {
        self.text = text
        self.style = style
        value = YAMLScalar.value(of: text, style: style, tag: tag)
    }

    private static func value(of text: String, style: Style, tag: String?) -> Value {
        switch tag {
        case nil: style == .plain ? resolve(text) : .text
        case "tag:yaml.org,2002:null", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int",
            "tag:yaml.org,2002:float":
            resolve(text)
        default: .text
        }
    }

    /// The core schema's reading of a plain scalar.
    private static func resolve(_ text: String) -> Value {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .float(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .float(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .float(-.infinity)
        default: break
        }
        if text.hasPrefix("0o") { return digits(text, radix: 8) }
        if text.hasPrefix("0x") { return digits(text, radix: 16) }
        return number(text)
    }

    private static func digits(_ text: String, radix: Int) -> Value {
        let digits = text.utf8.dropFirst(2)
        let highest: UInt8 = radix == 8 ? 0x37 : 0x39
        let areDigits = digits.allSatisfy { byte in
            (0x30...highest).contains(byte) || (radix == 16 && isHexLetter(byte))
        }
        guard !digits.isEmpty, areDigits else { return .text }
        if let number = Int(text.dropFirst(2), radix: radix) { return .integer(number) }
        return .float(digits.reduce(0) { $0 * Double(radix) + Double(hexValue($1)) })
    }

    private static func isHexLetter(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte | 0x20) }

    private static func hexValue(_ byte: UInt8) -> UInt8 {
        byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
    }

    /// `[-+]?[0-9]+` or `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
    private static func number(_ text: String) -> Value {
        var rest = text.utf8[...]
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
        let whole = takeDigits(&rest)
        if whole > 0, rest.isEmpty {
            return Int(text).map { .integer($0) } ?? Double(text).map { .float($0) } ?? .text
        }
        var fraction = 0
        if rest.first == 0x2E {
            rest = rest.dropFirst()
            fraction = takeDigits(&rest)
        }
        guard whole + fraction > 0 else { return .text }
        if let letter = rest.first, letter | 0x20 == 0x65 {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
            guard takeDigits(&rest) > 0 else { return .text }
        }
        guard rest.isEmpty else { return .text }
        return Double(text).map { .float($0) } ?? .text
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> Int {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count
    }
}
