import RefreshCore

/// How many steps expressions may still take in one document.
///
/// A class, since evaluating changes it and not the document; one thread at a time has either.
final class XPathBudget {
    private let nodes: Int
    private let limits: MarkupLimits
    var left: UInt = 0
    private var costlyLeft: UInt

    init(nodes: Int, limits: MarkupLimits) {
        self.nodes = nodes
        self.limits = limits
        costlyLeft = limits.costlySteps
    }

    /// The steps that `expression` may take; at least one, as none would mean no limit to libxml2.
    func steps(for expression: XPathExpression) throws(FormatFailure) -> UInt {
        guard expression.isCostly else { return max(1, left) }
        guard nodes <= limits.costlyNodes else {
            throw .xpathFailed(
                path: expression.text,
                what: "going back or across from many nodes, joining or comparing them takes too long in "
                    + "\(nodes) elements and attributes; \(limits.costlyNodes) are allowed")
        }
        return max(1, min(left, costlyLeft))
    }

    func take(_ steps: UInt, for expression: XPathExpression) {
        left -= min(left, steps)
        if expression.isCostly { costlyLeft -= min(costlyLeft, steps) }
    }
}
