import CXML2

/// An expression made ready for evaluation.
///
/// A class, since arrays hold nothing that cannot be copied; it belongs to the one reader that made it.
@safe final class XPathExpression {
    let text: String
    let compiled: xmlXPathCompExprPtr
    /// Whether its time can grow with the square of the document.
    let isCostly: Bool

    init(text: String, owning compiled: xmlXPathCompExprPtr) {
        self.text = text
        unsafe self.compiled = compiled
        isCostly = XPathCost.isHigh(text)
    }

    deinit { unsafe xmlXPathFreeCompExpr(compiled) }
}
