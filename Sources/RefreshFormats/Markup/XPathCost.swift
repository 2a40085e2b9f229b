/// Which expressions can take time that grows with the square of a document.
///
/// libxml2 compares each node that a step finds with all that were found from other nodes before, unless the axis
/// cannot find a node twice; it does so for unions too, and compares each node with each where sets are compared
/// for equality. Its limit of steps counts none of that.
struct XPathCost {
    private static let plainAxes: Set<String> = ["child", "attribute", "self", "namespace"]
    private static let comparisons: Set<String> = ["=", "!=", "<", "<=", ">", ">="]

    /// What is known of the path that is being read, at one depth of brackets.
    private struct Path {
        /// Whether steps so far can have found several nodes.
        var isMany = false
        /// The kind of the current step.
        var axis = "child"
        var hasStep = false
    }

    private let tokens: [XPathLexer.Token]
    private var paths = [Path()]

    /// Whether `text` has a part of such cost; of what is no expression the answer means nothing.
    static func isHigh(_ text: String) -> Bool {
        guard let tokens = try? XPathLexer.tokens(of: text) else { return true }
        var cost = XPathCost(tokens: tokens)
        return tokens.indices.contains { cost.isHigh(at: $0) }
    }

    private init(tokens: [XPathLexer.Token]) { self.tokens = tokens }

    private var path: Path {
        get { paths[paths.count - 1] }
        set { paths[paths.count - 1] = newValue }
    }

    /// Takes the token at `index`; whether it makes the expression costly.
    private mutating func isHigh(at index: Int) -> Bool {
        let token = tokens[index]
        switch token.kind {
        case .literal, .number, .variable: return false
        case .name:
            let isAxis = index + 1 < tokens.count && tokens[index + 1].text == "::"
            if isAxis {
                path.axis = token.text
                return false
            }
            return token.isCall
                && !["node", "text", "comment", "processing-instruction"].contains(token.text)
                ? false : step(path.axis, at: index)
        case .symbol: return isHighSymbol(token.text, at: index)
        }
    }

    private mutating func isHighSymbol(_ text: String, at index: Int) -> Bool {
        switch text {
        case "[": paths.append(Path())
        case "(": paths.append(Path())
        case "]", ")":
            if paths.count > 1 { paths.removeLast() }
            // A bracket of nodes, or a function of them.
            if text == ")" { path = Path(isMany: true, axis: "child", hasStep: true) }
        case "/":
            if !path.hasStep { path = Path(isMany: false, axis: "child", hasStep: true) }
        case "//":
            // A step of its own.
            if path.isMany { return true }
            path = Path(isMany: path.hasStep && path.isMany, axis: "descendant", hasStep: true)
        case "@": path.axis = "attribute"
        case "..": return step("parent", at: index)
        case ".": return step("self", at: index)
        case "*" where !isProduct(at: index): return step(path.axis, at: index)
        case "|": return true
        case "::": break
        default:
            path = Path()
            return XPathCost.comparisons.contains(text) && !isCheapComparison(at: index)
        }
        return false
    }

    private mutating func step(_ axis: String, at index: Int) -> Bool {
        if path.isMany, !XPathCost.plainAxes.contains(axis) { return true }
        let staysOne = axis == "self" || axis == "parent" || isNumbered(at: index) && axis != "descendant"
        path = Path(isMany: path.isMany || !staysOne, axis: "child", hasStep: true)
        return false
    }

    /// Whether the step at `index` has a place as its first condition, so that it finds one node at most.
    private func isNumbered(at index: Int) -> Bool {
        guard index + 3 < tokens.count else { return false }
        return tokens[index + 1].text == "[" && tokens[index + 2].kind == .number
            && tokens[index + 3].text == "]"
    }

    private func isProduct(at index: Int) -> Bool {
        guard index > 0 else { return false }
        let before = tokens[index - 1]
        return before.kind != .symbol || [")", "]", ".", ".."].contains(before.text)
    }

    /// Whether one side is a value and no set of nodes, as far as that shows in the next token.
    private func isCheapComparison(at index: Int) -> Bool {
        guard index > 0, index + 1 < tokens.count else { return true }
        let sides = [tokens[index - 1], tokens[index + 1]]
        return sides.contains { side in
            side.kind == .literal || side.kind == .number || side.text == ")" || side.text == "-"
                || side.isCall && side.text != "id"
        }
    }
}
