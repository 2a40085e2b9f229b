/// Text from anywhere, made harmless for a terminal and for a table of one row a line.
///
/// What can move the cursor, change the order of what is read, or hide (C0 and C1 controls, line and paragraph
/// separators, directional marks, other invisible format characters) is shown as `\u001b` instead, as JSON would.
package enum SafeText {
    /// `text` with every such character escaped.
    package static func escaped(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// As `escaped`, cut where a message would drown in it.
    package static func short(_ text: String, limit: Int = 60) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > limit else { return escaped(text) }
        return escaped(String(String.UnicodeScalarView(scalars.prefix(limit)))) + "…"
    }

    /// JSON text for a terminal: another spelling of the same values. Spaces and line breaks between tokens stay.
    package static func json(_ text: String) -> String {
        func isShown(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\t" || scalar == "\r" }
        guard text.unicodeScalars.contains(where: { isUnsafe($0) && !isShown($0) }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isShown(scalar) { result.unicodeScalars.append(scalar) } else { append(scalar, to: &result) }
        }
        return result
    }

    /// One character escaped, and of its combining marks only as many as real writing has.
    package static func escaped(_ character: Character) -> String {
        var result = ""
        for scalar in character.unicodeScalars.prefix(longestCluster) { append(scalar, to: &result) }
        return result
    }

    /// The longest emoji sequences have ten scalars; more marks than that climb over the neighbouring lines.
    private static let longestCluster = 12

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        guard isUnsafe(scalar) else {
            result.unicodeScalars.append(scalar)
            return
        }
        switch scalar {
        case "\t": result += "\\t"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        default:
            // Beyond the first plane JSON writes two halves.
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
    }

    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: return false
        // Joiners and variation selectors make up emoji and some scripts.
        case 0x200C, 0x200D: return false
        case 0..<0xA0: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }
}
