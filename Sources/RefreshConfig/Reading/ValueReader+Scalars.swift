import RefreshCore

extension ValueReader {
    /// A value of one scalar.
    mutating func scalar(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard let scalar = node.scalar, scalar.value != .null else { return refuseType(shape, node, path) }
        switch shape {
        case .flag: return flag(scalar, node, path)
        case .text: return .text(scalar.text)
        case .fieldValue: return fieldValue(scalar, node, path)
        case .token: return token(scalar, node, path)
        case .method: return method(scalar, node, path)
        case .filePath, .socketPath: return filePath(shape, scalar, node, path)
        case .word(let words): return word(words, scalar, node, path)
        case .adapter: return .text(scalar.text)
        case .character(let word): return character(word, scalar, node, path)
        case .whole, .number, .duration, .size, .share, .mode, .rate:
            return quantity(shape, scalar, node, path)
        default: return place(shape, node, path)
        }
    }

    // MARK: - Words

    private mutating func flag(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if case .bool(let value) = scalar.value { return .flag(value) }
        switch scalar.text.lowercased() {
        case "yes", "on", "y":
            return refuse(.wrongType, node.start, path, "\"\(scalar.text)\" is text in YAML 1.2; write true")
        case "no", "off", "n":
            return refuse(.wrongType, node.start, path, "\"\(scalar.text)\" is text in YAML 1.2; write false")
        case "true", "false":
            return refuse(.wrongType, node.start, path, "must be true or false, without quotes")
        default: return refuseType(.flag, node, path)
        }
    }

    mutating func word(
        _ words: [String], _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        if words.contains(scalar.text) { return .text(scalar.text) }
        var message = "must be \(Shape.list(words)), not \"\(SafeText.short(scalar.text))\""
        if mayGuess(), let suggestion = ClosestMatch.suggestion(for: scalar.text, among: words) {
            message += "; did you mean \"\(suggestion)\"?"
        }
        return refuse(.badValue, node.start, path, message)
    }

    private mutating func token(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        if FieldRules.isToken(scalar.text) { return .text(scalar.text) }
        let message =
            scalar.text.isEmpty
            ? "must not be empty"
            : "\"\(SafeText.short(scalar.text))\" is no name; use letters, digits, \"-\", \"_\" and \".\""
        return refuse(.badValue, node.start, path, message)
    }

    private mutating func method(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let upper = scalar.text.uppercased()
        if ["CONNECT", "TRACE"].contains(upper) {
            return refuse(.badValue, node.start, path, "\(upper) is not sent; write GET or POST")
        }
        let isMethod = !upper.isEmpty && upper.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x2D }
        guard isMethod else {
            let message = "\"\(SafeText.short(scalar.text))\" is no method; write GET or POST"
            return refuse(.badValue, node.start, path, message)
        }
        guard upper == scalar.text else {
            return refuse(.badValue, node.start, path, "methods are upper case; write \(upper)")
        }
        return .text(upper)
    }

    private mutating func character(
        _ word: String, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        if scalar.text == word || scalar.text == "tab" { return .text(scalar.text) }
        guard scalar.text.utf8.count == 1, let byte = scalar.text.utf8.first, byte != 0x22, byte != 0x0A
        else {
            let message =
                "\"\(SafeText.short(scalar.text))\" is no single character; write one, tab, or \(word)"
            return refuse(.badValue, node.start, path, message)
        }
        return .text(scalar.text)
    }

    private mutating func filePath(
        _ shape: Shape, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        guard let whole = wholePath(scalar.text, node, path) else { return nil }
        if case .socketPath = shape, whole.utf8.count > DefaultPlaces.longestSocketPath {
            let message =
                "has \(whole.utf8.count) bytes; the path of a socket has \(DefaultPlaces.longestSocketPath) at most"
            return refuse(.badValue, node.start, path, message)
        }
        return .text(whole)
    }

    /// The path that a text of the file means.
    mutating func wholePath(_ text: String, _ node: YAMLNode, _ path: [String]) -> String? {
        let message: String
        if text.isEmpty {
            message = "must not be empty"
        } else if FieldRules.hasControls(text) {
            message = "holds control characters"
        } else if text == "~" || text.hasPrefix("~/") {
            message = "\"~\" is not expanded; write the whole path"
        } else {
            return text.hasPrefix("/") ? text : folder + text
        }
        problems.add(.badValue, at: node.start, path, message)
        return nil
    }

    private mutating func fieldValue(
        _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        guard !scalar.text.isEmpty else { return refuse(.badValue, node.start, path, "must not be empty") }
        guard !FieldRules.hasControls(scalar.text) else {
            return refuse(.badValue, node.start, path, FieldRules.controls)
        }
        return .text(scalar.text)
    }
}
