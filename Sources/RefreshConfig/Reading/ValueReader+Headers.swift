import RefreshCore

extension ValueReader {
    /// Header fields. Their values may be secret, so no message repeats one.
    mutating func headers(_ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .mapping(let pairs) = node.content else { return refuseType(.headers, node, path) }
        var headers = HTTPHeaders()
        var isRight = true
        for pair in pairs {
            guard let name = pair.key.scalar?.text else { continue }
            let here = path + [name]
            guard isUsable(name, pair.key.start, path, headers), let value = fieldText(pair.value, here)
            else {
                isRight = false
                continue
            }
            headers.append(name, value)
        }
        return isRight ? .headers(headers) : nil
    }

    private mutating func isUsable(
        _ name: String, _ place: SourcePlace, _ path: [String], _ earlier: HTTPHeaders
    ) -> Bool {
        let shown = "\"\(SafeText.short(name))\""
        if !FieldRules.isToken(name) {
            problems.add(.badValue, at: place, path, "\(shown) cannot name a header field (RFC 9110, 5.1)")
        } else if FieldRules.isOurs(name) {
            problems.add(.badValue, at: place, path, "\(shown) is set by refreshd itself; remove it")
        } else if let other = earlier.fields.first(where: { $0.name != name && isSame($0.name, name) }) {
            problems.add(
                .duplicateKey, at: place, path, "\(shown) and \"\(other.name)\" are one header field")
        } else {
            return true
        }
        return false
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        ASCII.equalIgnoringCase(left.utf8, right.utf8)
    }

    private mutating func fieldText(_ node: YAMLNode, _ path: [String]) -> String? {
        if case .mapping(let pairs) = node.content, pairs.count == 1,
            let kind = pairs[0].key.scalar?.text, ["file", "env", "cred"].contains(kind)
        {
            let message = "a secret by \"\(kind)\" is not supported by this version of refreshd"
            problems.add(.unsupported, at: node.start, path, message)
            return nil
        }
        guard let scalar = node.scalar, scalar.value != .null else {
            _ = refuseType(.fieldValue, node, path)
            return nil
        }
        guard !FieldRules.hasControls(scalar.text) else {
            problems.add(.badValue, at: node.start, path, FieldRules.controls)
            return nil
        }
        return placeholderFree(scalar.text, node, path)
    }
}
