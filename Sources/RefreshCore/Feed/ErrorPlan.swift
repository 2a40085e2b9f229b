/// What an answer that is no success means; the first rule that fits decides.
package struct ErrorRule: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
        case retry, fail, ignore, empty, gone, login, wait
        case restartPages = "restart_pages"
        case fullResync = "full_resync"
    }

    /// 400…499 as `4xx`.
    package enum Status: Sendable, Hashable {
        case code(Int)
        /// 4 or 5: the hundreds.
        case hundred(Int)

        package func matches(_ status: Int) -> Bool {
            switch self {
            case .code(let code): code == status
            case .hundred(let hundreds): status / 100 == hundreds
            }
        }
    }

    /// All that are given have to hold.
    package struct Condition: Sendable, Equatable {
        package var statuses: [Status] = []
        package var body: JSONFilter?
        /// Is part of the body.
        package var text: String?
        /// A header field that is there, with this value where one is given.
        package var header: (name: String, value: String?)? {
            get { headerName.map { ($0, headerValue) } }
            set {
                headerName = newValue?.name
                headerValue = newValue?.value
            }
        }
        private var headerName: String?
        private var headerValue: String?

        package init() {}
    }

    package let when: Condition
    package let action: Action
    package let message: String?

    package init(when: Condition, action: Action, message: String? = nil) {
        self.when = when
        self.action = action
        self.message = message
    }
}

/// How a request inside a pass under way is repeated.
package struct RetryPlan: Sendable, Equatable {
    package enum Jitter: String, Sendable, CaseIterable { case full, none }

    package var tries = 5
    package var first: Duration = .seconds(1)
    package var factor = 2.0
    package var longest: Duration = .seconds(300)
    package var jitter = Jitter.full

    package init() {}
}
