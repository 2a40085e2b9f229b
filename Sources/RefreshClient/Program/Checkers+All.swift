import RefreshConfig
import RefreshFormats

extension Checkers {
    /// Everything that can be looked at without a document.
    static let all = Checkers { text, namespaces in
        XPath.check(text, namespaces: namespaces).map {
            Checkers.Failure(offset: $0.offset, message: $0.message)
        }
    }
}
