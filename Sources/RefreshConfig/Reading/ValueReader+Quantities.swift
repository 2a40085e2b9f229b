import RefreshCore

/// Numbers, and numbers with a unit.
extension ValueReader {
    mutating func quantity(
        _ shape: Shape, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        switch shape {
        case .whole(let range): whole(range, scalar, node, path).map { .whole($0) }
        case .number(let range): number(range, scalar, node, path)
        case .duration(let range, let canBeOff): duration(range, canBeOff, scalar, node, path)
        case .size(let range): size(range, scalar, node, path)
        case .share: share(scalar, node, path)
        case .mode: mode(scalar, node, path)
        case .rate: rate(scalar, node, path)
        default: preconditionFailure("no shape of a quantity")
        }
    }

    mutating func whole(
        _ range: ClosedRange<Int>, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> Int? {
        guard case .integer(let number) = scalar.value else {
            let message = "must be a whole number, not \"\(SafeText.short(scalar.text))\""
            problems.add(.wrongType, at: node.start, path, message)
            return nil
        }
        if range.contains(number) { return number }
        if range.lowerBound == range.upperBound {
            let message = "\(number) is not supported by this version of refreshd; write \(range.lowerBound)"
            problems.add(.unsupported, at: node.start, path, message)
            return nil
        }
        let bound =
            number < range.lowerBound
            ? "below the minimum of \(range.lowerBound)" : "above the maximum of \(range.upperBound)"
        problems.add(.badValue, at: node.start, path, "\(number) is \(bound)")
        return nil
    }

    private mutating func number(
        _ range: ClosedRange<Double>, _ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]
    ) -> ConfigValue? {
        let number: Double
        switch scalar.value {
        case .integer(let whole): number = Double(whole)
        case .float(let value): number = value
        default:
            let message = "must be a number, not \"\(SafeText.short(scalar.text))\""
            return refuse(.wrongType, node.start, path, message)
        }
        if range.contains(number) { return .number(number) }
        let low = ConfigValue.number(range.lowerBound).text ?? ""
        let high = ConfigValue.number(range.upperBound).text ?? ""
        let message = "\(SafeText.short(scalar.text)) is not between \(low) and \(high)"
        return refuse(.badValue, node.start, path, message)
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

    /// A count, a slash and a duration.
    private mutating func rate(_ scalar: YAMLScalar, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        let text = Array(scalar.text.utf8)
        guard let slash = text.firstIndex(of: 0x2F) else {
            let message = "\"\(SafeText.short(scalar.text))\" has no time; write a rate such as 60/1m"
            return refuse(.badValue, node.start, path, message)
        }
        let digits = String(decoding: text[..<slash], as: UTF8.self)
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit), let count = Int(digits), count > 0,
            count <= 1_000_000_000
        else {
            let message = "\"\(SafeText.short(digits))\" is no count; write a rate such as 60/1m"
            return refuse(.badValue, node.start, path, message)
        }
        do {
            let per = try DurationText.parse(String(decoding: text[(slash + 1)...], as: UTF8.self))
            if per > .zero { return .rate(Rate(count: count, per: per)) }
            let place = node.place(atByte: slash + 1)
            return refuse(.badValue, place, path, "a rate needs a time above 0, such as 60/1m")
        } catch {
            let place = node.place(atByte: slash + 1 + error.offset)
            return refuse(.badValue, place, path, SafeText.escaped(error.message))
        }
    }
}
