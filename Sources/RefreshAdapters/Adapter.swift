import RefreshCore
import RefreshTransfer

/// How one kind of upstream is read.
///
/// An adapter holds no state between calls and touches no network: it turns answers into records. How a list is
/// asked for, page by page, is the same for all of them.
package protocol Adapter: Sendable {
    /// The media types asked for where the configuration names none.
    var accept: String { get }
    /// Stands for the way bodies are read; raised when the same body would be read into other records.
    var reading: String { get }

    /// What an answer with a body holds.
    func open(_ answer: TransferAnswer) throws(RefreshFailure) -> any ReadDocument

    /// The same of a feed whose entries are told apart by `keys`.
    func open(_ answer: TransferAnswer, keys: KeyPolicy) throws(RefreshFailure) -> any ReadDocument
}

extension Adapter {
    package func open(_ answer: TransferAnswer, keys: KeyPolicy) throws(RefreshFailure) -> any ReadDocument {
        try open(answer)
    }
}
