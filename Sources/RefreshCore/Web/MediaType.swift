/// A media type with its parameters, as a Content-Type field gives it (WHATWG MIME Sniffing, 4.4).
package struct MediaType: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        /// In lower case.
        package let name: String
        package let value: String
    }

    /// Type and subtype in lower case, such as `text/csv`.
    package let essence: String
    /// In order; of several with one name only the first.
    package let parameters: [Parameter]

    /// Reads a field's value; nil where it names no media type. Parameters that make no sense are left out.
    package init?(parsing text: String) {
        var reader = MediaTypeReader(text)
        guard let essence = reader.essence() else { return nil }
        self.essence = essence
        parameters = reader.parameters()
    }

    package func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The label of the charset as written.
    package var charset: String? { parameter("charset") }

    /// As text again, values quoted where they have to be (4.5).
    package var text: String {
        var text = essence
        for parameter in parameters {
            text += ";\(parameter.name)="
            if MediaTypeReader.isToken(parameter.value.unicodeScalars) {
                text += parameter.value
                continue
            }
            text += "\""
            for scalar in parameter.value.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            text += "\""
        }
        return text
    }
}

/// One walk through a Content-Type value, character by character.
private struct MediaTypeReader {
    private let text: [Unicode.Scalar]
    private var at = 0

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        let start = scalars.firstIndex { !MediaTypeReader.isSpace($0) } ?? scalars.count
        let end = (scalars.lastIndex { !MediaTypeReader.isSpace($0) } ?? start - 1) + 1
        self.text = Array(scalars[start..<end])
    }

    mutating func essence() -> String? {
        let type = run(until: ["/"])
        guard MediaTypeReader.isToken(type), at < text.count else { return nil }
        at += 1
        let subtype = MediaTypeReader.withoutEnd(run(until: [";"]))
        guard MediaTypeReader.isToken(subtype) else { return nil }
        return MediaTypeReader.lowercased(type) + "/" + MediaTypeReader.lowercased(subtype)
    }

    mutating func parameters() -> [MediaType.Parameter] {
        var found: [MediaType.Parameter] = []
        while at < text.count {
            // The semicolon.
            at += 1
            while at < text.count, MediaTypeReader.isSpace(text[at]) { at += 1 }
            let name = run(until: [";", "="])
            guard at < text.count else { break }
            if text[at] == ";" { continue }
            at += 1
            guard at < text.count else { break }
            guard let value = value() else { continue }
            let lower = MediaTypeReader.lowercased(name)
            if MediaTypeReader.isToken(name), value.unicodeScalars.allSatisfy(MediaTypeReader.isQuotable),
                !found.contains(where: { $0.name == lower })
            {
                found.append(MediaType.Parameter(name: lower, value: value))
            }
        }
        return found
    }

    private mutating func value() -> String? {
        if text[at] == "\"" {
            let value = quoted()
            _ = run(until: [";"])
            return value
        }
        let value = MediaTypeReader.withoutEnd(run(until: [";"]))
        return value.isEmpty ? nil : MediaTypeReader.string(value)
    }

    /// What stands in quotes; a missing end is forgiven.
    private mutating func quoted() -> String {
        var value = String.UnicodeScalarView()
        at += 1
        while at < text.count, text[at] != "\"" {
            if text[at] == "\\", at + 1 < text.count { at += 1 }
            value.append(text[at])
            at += 1
        }
        at = min(at + 1, text.count)
        return String(value)
    }

    private mutating func run(until ends: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        let start = at
        while at < text.count, !ends.contains(text[at]) { at += 1 }
        return text[start..<at]
    }

    // MARK: - Characters

    static func isToken(_ scalars: some Collection<Unicode.Scalar>) -> Bool {
        !scalars.isEmpty && scalars.allSatisfy(isTokenScalar)
    }

    private static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": true
        case "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~": true
        default: false
        }
    }

    private static func isQuotable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x20...0x7E, 0x80...0xFF: true
        default: false
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    private static func withoutEnd(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        scalars[..<((scalars.lastIndex { !isSpace($0) } ?? scalars.startIndex - 1) + 1)]
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func lowercased(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        string(scalars.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) | 0x20) : $0 })
    }
}
