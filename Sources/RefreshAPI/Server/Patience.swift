/// How long a connection may stay where it is before it is shut.
///
/// libmicrohttpd has one limit, on silence; a client that sends a byte now and then would never meet it.
enum Patience {
    /// What a connection is at.
    enum Step: Equatable, CaseIterable {
        /// Nothing of it has been understood yet.
        case arrived
        /// Between two requests, or within the head of the second and later ones.
        case between
        /// A head has come, its body has not.
        case body
        /// Somebody works for it.
        case waiting
        /// The answer is on its way.
        case answering
        /// The answer has no end.
        case streaming
    }

    /// Nil where the step ends by itself.
    static func limit(of step: Step) -> Duration? {
        switch step {
        case .arrived: .seconds(10)
        case .between: .seconds(60)
        case .body: .seconds(30)
        case .waiting: nil
        case .answering: .seconds(120)
        case .streaming: nil
        }
    }

    static func isOver(_ step: Step, for passed: Duration) -> Bool {
        limit(of: step).map { passed >= $0 } ?? false
    }

    /// How often waiting clients are looked after: libmicrohttpd does not notice when they leave.
    static let lookAfter: Duration = .seconds(5)
}
