import RefreshCore
import RefreshTransfer

/// How one kind of upstream is asked and read.
///
/// An adapter holds no state between calls and touches no network: it says what to request, and turns the answer
/// into records. What must survive is stored with them.
package protocol Adapter: Sendable {
    /// Stands for everything that validators were given for; with another scope they are worth nothing (policy V4).
    var scope: UInt64 { get }

    /// The request of a pass.
    func request(_ validators: Validators) -> TransferRequest

    /// The records of an answer that held a body.
    func read(_ answer: TransferAnswer) throws(RefreshFailure) -> Harvest
}

/// What one answer was read into.
package struct Harvest: Sendable {
    package let page: RecordPage
    /// Whether `page` is the whole list, proven to its end.
    package let complete: Bool

    package init(page: RecordPage, complete: Bool) {
        self.page = page
        self.complete = complete
    }
}
