import RefreshCore

/// Parameters, header fields and secrets. Their values may be secret, so no message repeats one.
extension ValueReader {
    mutating func params(_ role: RequestRole, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .mapping(let pairs) = node.content else { return refuseType(.params(role), node, path) }
        var params: [DraftParam] = []
        var isRight = true
        for pair in pairs {
            guard let name = pair.key.scalar?.text, !params.contains(where: { $0.name == name }) else {
                continue
            }
            let isSecret =
                role == .login
                && (pair.value.isMapping || FieldRules.isSecretMember(name) && pair.value.scalar != nil)
            let values =
                isSecret
                ? loginSecret(pair.value, path + [name]).map { [$0] }
                : paramValues(role, pair.value, path + [name])
            guard let values else {
                isRight = false
                continue
            }
            params.append(DraftParam(name: name, place: pair.key.start, values: values))
        }
        return isRight ? .params(params) : nil
    }

    /// A list sends the parameter once for each.
    private mutating func paramValues(
        _ role: RequestRole, _ node: YAMLNode, _ path: [String]
    ) -> [DraftTemplate]? {
        guard case .sequence(let nodes) = node.content else {
            return fieldTemplate(role, node, path, isHeader: false).map { [$0] }
        }
        let values = nodes.enumerated().compactMap {
            fieldTemplate(role, $1, path + ["[\($0)]"], isHeader: false)
        }
        return values.count == nodes.count ? values : nil
    }

    private mutating func fieldTemplate(
        _ role: RequestRole, _ node: YAMLNode, _ path: [String], isHeader: Bool
    ) -> DraftTemplate? {
        guard let scalar = node.scalar, scalar.value != .null, let written = WrittenText(node) else {
            _ = refuseType(.template(role), node, path)
            return nil
        }
        guard !isHeader || !FieldRules.hasControls(scalar.text) else {
            problems.add(.badValue, at: node.start, path, FieldRules.controls)
            return nil
        }
        return template(written, role, path)
    }

    // MARK: - Header fields

    mutating func headers(_ role: RequestRole, _ node: YAMLNode, _ path: [String]) -> ConfigValue? {
        guard case .mapping(let pairs) = node.content else { return refuseType(.headers(role), node, path) }
        var headers: [DraftHeader] = []
        var isRight = true
        for pair in pairs {
            guard let name = pair.key.scalar?.text, !headers.contains(where: { $0.name == name }) else {
                continue
            }
            guard isUsable(name, pair.key.start, path, headers),
                let value = headerValue(name, role, pair.value, path + [name])
            else {
                isRight = false
                continue
            }
            headers.append(DraftHeader(name: name, place: pair.key.start, value: value))
        }
        return isRight ? .headers(headers) : nil
    }

    private mutating func isUsable(
        _ name: String, _ place: SourcePlace, _ path: [String], _ earlier: [DraftHeader]
    ) -> Bool {
        let shown = "\"\(SafeText.short(name))\""
        if !FieldRules.isToken(name) {
            problems.add(.badValue, at: place, path, "\(shown) cannot name a header field (RFC 9110, 5.1)")
        } else if FieldRules.isOurs(name) {
            problems.add(.badValue, at: place, path, "\(shown) is set by refreshd itself; remove it")
        } else if let other = earlier.first(where: { FieldRules.isSame($0.name, name) }) {
            problems.add(
                .duplicateKey, at: place, path, "\(shown) and \"\(other.name)\" are one header field")
        } else {
            return true
        }
        return false
    }

    private mutating func headerValue(
        _ name: String, _ role: RequestRole, _ node: YAMLNode, _ path: [String]
    ) -> DraftHeader.Value? {
        if case .mapping = node.content {
            return secret(node, path, isPublic: false).map { .secret($0) }
        }
        let value = fieldTemplate(role, node, path, isHeader: true)
        if value?.literal != nil, FieldRules.isSecret(name) { warnIfExposed(node.start, path) }
        return value.map { .template($0) }
    }

    // MARK: - Secrets

    mutating func secret(_ node: YAMLNode, _ path: [String], isPublic: Bool) -> SecretSource? {
        guard case .mapping(let pairs) = node.content else {
            guard let scalar = node.scalar, scalar.value != .null else {
                _ = refuseType(.secret(isPublic: isPublic), node, path)
                return nil
            }
            guard !scalar.text.isEmpty, !FieldRules.hasControls(scalar.text) else {
                let message = scalar.text.isEmpty ? "must not be empty" : "holds control characters"
                problems.add(.badValue, at: node.start, path, message)
                return nil
            }
            if !isPublic { warnIfExposed(node.start, path) }
            return .literal(scalar.text)
        }
        return source(pairs, node, path)
    }

    private mutating func source(
        _ pairs: [YAMLNode.Pair], _ node: YAMLNode, _ path: [String]
    ) -> SecretSource? {
        let noun = "{file: PATH}, {env: NAME} or {cred: NAME}"
        guard let pair = pairs.first, pairs.count == 1, let kind = pair.key.scalar?.text else {
            problems.add(.wrongType, at: node.start, path, "must be \(noun): one of them")
            return nil
        }
        guard ["file", "env", "cred"].contains(kind) else {
            let message = "unknown source \"\(SafeText.short(kind))\" of a secret; write \(noun)"
            problems.add(.unknownKey, at: pair.key.start, path, message)
            return nil
        }
        let here = path + [kind]
        guard let name = pair.value.scalar, name.value != .null else {
            _ = refuseType(.text, pair.value, here)
            return nil
        }
        if kind == "file" { return wholePath(name.text, pair.value, here).map { .file($0) } }
        guard isSourceName(name.text, kind) else {
            let message =
                kind == "env"
                ? "no name of an environment variable; use letters, digits and \"_\""
                : "no name of a credential; use letters, digits, \"-\", \"_\" and \".\""
            problems.add(.badValue, at: pair.value.start, here, message)
            return nil
        }
        return kind == "env" ? .environment(name.text) : .credential(name.text)
    }

    /// A credential is a file of that name in one folder (systemd.exec(5)); it must not lead out of it.
    private func isSourceName(_ name: String, _ kind: String) -> Bool {
        kind == "env"
            ? Placeholders.isName(name)
            : FieldRules.isToken(name) && !name.hasPrefix(".") && name.utf8.count < 256
    }

    private mutating func warnIfExposed(_ place: SourcePlace, _ path: [String]) {
        guard isReadableByOthers else { return }
        let message =
            "a secret stands in a file that every user may read; write {file: PATH}, {env: NAME} or {cred: NAME}, or take that right away (chmod o-r)"
        problems.warn(.doubtful, at: place, path, message)
    }
}
