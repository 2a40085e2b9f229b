import RefreshCore

extension ValueReader {
    /// A value of one scalar.
    mutating func scalar(_ shape: Shape, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard let scalar = node.scalar, scalar.value != .null else { return refuseType(shape, node, path) }
        switch shape {
        case .flag: return flag(scalar, node, path)
        case .text: return .text(scalar.text)
        case .fieldValue: return fieldValue(scalar, node, path)
        case .filePath, .socketPath: return filePath(shape, scalar, node, path)
        case .word(let words, let later): return word(words, later, scalar, node, path)
        case .whole(let range): return whole(range, scalar, node, path)
        case .duration(let range, let canBeOff): return duration(range, canBeOff, scalar, node, path)
        case .size(let range): return size(range, scalar, node, path)
        case .share: return share(scalar, node, path)
        case .mode: return mode(scalar, node, path)
        case .url: return url(scalar, node, path)
        case .path(let singular): return self.path(node, path, singular: singular).map { .paths([$0]) }
        case .paths, .headers, .block, .feeds, .later: preconditionFailure("no shape of a scalar")
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

    private mutating func word(
        _ words: [String], _ later: [String], _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        if words.contains(scalar.text) { return .text(scalar.text) }
        if later.contains(scalar.text) {
            return refuse(.unsupported, node.start, path, ValueReader.unsupported(scalar.text))
        }
        var message = "must be \(Shape.word(words).noun), not \"\(SafeText.short(scalar.text))\""
        if let suggestion = ClosestMatch.suggestion(for: scalar.text, among: words + later) {
            message += "; did you mean \"\(suggestion)\"?"
        }
        return refuse(.badValue, node.start, path, message)
    }

    // MARK: - Numbers

    private mutating func whole(
        _ range: ClosedRange<Int>, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        guard case .integer(let number) = scalar.value else {
            let message = "must be a whole number, not \"\(SafeText.short(scalar.text))\""
            return refuse(.wrongType, node.start, path, message)
        }
        if range.contains(number) { return .whole(number) }
        if range.lowerBound == range.upperBound {
            let message = "\(number) is not supported by this version of refreshd; write \(range.lowerBound)"
            return refuse(.unsupported, node.start, path, message)
        }
        let bound =
            number < range.lowerBound
            ? "below the minimum of \(range.lowerBound)" : "above the maximum of \(range.upperBound)"
        return refuse(.badValue, node.start, path, "\(number) is \(bound)")
    }

    private mutating func duration(
        _ range: ClosedRange<Duration>, _ canBeOff: Bool, _ scalar: YAMLScalar, _ node: YAMLNode,
        _ path: [String]
    ) -> ConfigValue? {
        if canBeOff, scalar.text == "off" { return .off }
        let duration: Duration
        do {
            duration = try DurationText.parse(scalar.text)
        } catch {
            return refuse(.badValue, node.place(atByte: error.offset), path, SafeText.escaped(error.message))
        }
        if range.contains(duration) { return .duration(duration) }
        let bound =
            duration < range.lowerBound
            ? "below the minimum of \(DurationText.format(range.lowerBound))"
            : "above the maximum of \(DurationText.format(range.upperBound))"
        return refuse(.badValue, node.start, path, "\(scalar.text) is \(bound)")
    }

    private mutating func size(
        _ range: ClosedRange<ByteCount>, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        let size: ByteCount
        do {
            size = try ByteCount(parsing: scalar.text)
        } catch {
            return refuse(.badValue, node.place(atByte: error.offset), path, SafeText.escaped(error.message))
        }
        if range.contains(size) { return .size(size) }
        let bound =
            size < range.lowerBound
            ? "below the minimum of \(range.lowerBound.text)"
            : "above the maximum of \(range.upperBound.text)"
        return refuse(.badValue, node.start, path, "\(scalar.text) is \(bound)")
    }

    private mutating func share(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let text = scalar.text
        if case .text = scalar.value, text.hasSuffix("%"),
            let first = text.utf8.first, ASCII.isDigit(first), let percent = Double(text.dropLast()),
            (0...100).contains(percent)
        {
            return .share(percent / 100)
        }
        if case .text = scalar.value {
            let message = "\"\(SafeText.short(text))\" is no share; write 0% to 100%, such as 10%"
            return refuse(.badValue, node.start, path, message)
        }
        if case .bool = scalar.value { return refuseType(.share, node, path) }
        let message = "\(SafeText.short(text)) has no unit; write a share such as 10%"
        return refuse(.badValue, node.start, path, message)
    }

    /// Octal, with or without the leading zero: what the file's other readers (chmod, systemd) take.
    private mutating func mode(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let digits = scalar.text.hasPrefix("0o") ? scalar.text.dropFirst(2) : scalar.text[...]
        let isOctal =
            (3...4).contains(digits.utf8.count) && digits.utf8.allSatisfy { (0x30...0x37).contains($0) }
        guard isOctal, let bits = UInt32(digits, radix: 8), bits <= 0o777 else {
            let message =
                "\"\(SafeText.short(scalar.text))\" is no mode; write octal permission bits such as 0660"
            return refuse(.badValue, node.start, path, message)
        }
        return .mode(bits)
    }

    // MARK: - Places

    private mutating func url(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard let text = placeholderFree(scalar.text, node, path) else { return nil }
        do {
            return .url(try WebURL(parsing: text))
        } catch {
            let place = text == scalar.text ? node.place(atByte: error.offset) : node.start
            return refuse(.badValue, place, path, SafeText.escaped(error.message))
        }
    }

    mutating func path(_ node: YAMLNode, _ path: [String], singular: Bool) -> JSONPath? {
        guard let scalar = node.scalar, scalar.value != .null else {
            _ = refuseType(.path(singular: singular), node, path)
            return nil
        }
        do {
            let result = try JSONPath(parsing: scalar.text)
            if !singular || result.isSingular { return result }
            let message =
                "\"\(SafeText.short(scalar.text))\" may select several values; write the path of one"
            problems.add(.badValue, at: node.start, path, message)
        } catch {
            let place = node.place(atByte: error.offset)
            problems.add(.badValue, at: place, path, SafeText.escaped(error.message))
        }
        return nil
    }

    mutating func paths(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .sequence(let nodes) = node.content else {
            if node.scalar == nil || node.isNull { return refuseType(.paths, node, path) }
            return self.path(node, path, singular: true).map { .paths([$0]) }
        }
        guard !nodes.isEmpty else {
            return refuse(.badValue, node.start, path, "the list is empty; write a path")
        }
        let paths = nodes.enumerated().compactMap { self.path($1, path + ["[\($0)]"], singular: true) }
        return paths.count == nodes.count ? .paths(paths) : nil
    }

    private mutating func filePath(
        _ shape: Shape, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        let text = scalar.text
        guard !text.isEmpty else { return refuse(.badValue, node.start, path, "must not be empty") }
        guard !FieldRules.hasControls(text) else {
            return refuse(.badValue, node.start, path, "holds control characters")
        }
        if text == "~" || text.hasPrefix("~/") {
            return refuse(.badValue, node.start, path, "\"~\" is not expanded; write the whole path")
        }
        let whole = text.hasPrefix("/") ? text : folder + text
        if case .socketPath = shape, whole.utf8.count > DefaultPlaces.longestSocketPath {
            let message =
                "has \(whole.utf8.count) bytes; the path of a socket has \(DefaultPlaces.longestSocketPath) at most"
            return refuse(.badValue, node.start, path, message)
        }
        return .text(whole)
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
