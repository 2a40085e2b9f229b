import RefreshCore

/// Filters (RFC 9535, 2.3.5).
extension JSONEvaluation {
    /// Whether `filter` holds for the value at `place`, which is `@` in it.
    func holds(_ filter: JSONFilter, at place: Int) throws(FormatFailure) -> Bool {
        try holds(filter.expression, place)
    }

    private func holds(
        _ expression: JSONFilter.Expression, _ current: Int
    ) throws(FormatFailure) -> Bool {
        switch expression {
        case .any(let parts):
            for part in parts where try holds(part, current) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, current) { return false }
            return true
        case .not(let inner): return try !holds(inner, current)
        case .exists(let query):
            if query.path.isSingular { return try single(query, current) != nil }
            return try !visit(query.path.segments[...], from: start(query, current)) { _ in false }
        case .comparison(let left, let comparison, let right):
            return try compare(value(left, current), comparison, value(right, current))
        case .matches(let text, let pattern, let isWhole):
            return try matches(value(text, current), value(pattern, current), isWhole: isWhole)
        }
    }

    private func start(_ query: JSONFilter.Query, _ current: Int) -> Int { query.isRelative ? current : root }

    /// The node of a singular query.
    private func single(_ query: JSONFilter.Query, _ current: Int) throws(FormatFailure) -> Int? {
        var place = start(query, current)
        for step in query.path.steps ?? [] {
            try spend(1)
            switch step {
            case .name(let name):
                guard let next = try child(name, of: place) else { return nil }
                place = next
            case .index(let index):
                guard let next = document.element(index, of: place) else { return nil }
                try spend(index.magnitude < 64 ? 1 : 64)
                place = next
            }
        }
        return place
    }

    private func value(
        _ operand: JSONFilter.Operand, _ current: Int
    ) throws(FormatFailure) -> JSONOperand {
        switch operand {
        case .literal(.null): return .null
        case .literal(.bool(let value)): return .bool(value)
        case .literal(.number(let text)): return .number(text[...])
        case .literal(.string(let text)): return .string(text[...])
        case .query(let query): return try document.operand(at: single(query, current))
        case .length(let operand):
            let value = try value(operand, current)
            guard let length = document.length(of: value) else { return .nothing }
            try spend(length)
            return .number(Array(String(length).utf8)[...])
        case .count(let query):
            var count = 0
            _ = try visit(query.path.segments[...], from: start(query, current)) { _ in
                count += 1
                return true
            }
            return .number(Array(String(count).utf8)[...])
        case .value(let query):
            var found: [Int] = []
            _ = try visit(query.path.segments[...], from: start(query, current)) {
                found.append($0)
                return found.count < 2
            }
            return document.operand(at: found.count == 1 ? found[0] : nil)
        }
    }

    private func compare(
        _ left: JSONOperand, _ comparison: JSONFilter.Comparison, _ right: JSONOperand
    ) throws(FormatFailure) -> Bool {
        switch comparison {
        case .equal: return try equal(left, right)
        case .notEqual: return try !equal(left, right)
        case .less: return left.precedes(right)
        case .greater: return right.precedes(left)
        case .lessOrEqual:
            if left.precedes(right) { return true }
            return try equal(left, right)
        case .greaterOrEqual:
            if right.precedes(left) { return true }
            return try equal(left, right)
        }
    }

    private func equal(_ left: JSONOperand, _ right: JSONOperand) throws(FormatFailure) -> Bool {
        if case .container(let one) = left, case .container(let other) = right {
            // Both are walked over once, whatever comes out.
            try spend(document.placeBehind(one) - one + document.placeBehind(other) - other)
        }
        return document.equal(left, right)
    }

    private func matches(
        _ text: JSONOperand, _ pattern: JSONOperand, isWhole: Bool
    ) throws(FormatFailure) -> Bool {
        guard case .string(let text) = text, case .string(let pattern) = pattern,
            let compiled = budget.patterns.pattern(pattern, isWhole: isWhole)
        else { return false }
        try spend(1 + text.count / 16)
        // Most matches need next to nothing; one that needs more pays for all that it may take.
        if let isMatch = compiled.matches(text, limit: 1_000 + 4 * text.count) { return isMatch }
        let most = 100_000 + 20 * text.count
        try spend(most)
        guard let isMatch = compiled.matches(text, limit: most) else { throw .queryTooCostly(limit: most) }
        return isMatch
    }
}
