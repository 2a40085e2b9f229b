import RefreshCore

/// One redirect that was followed.
package struct TransferHop: Sendable, Equatable {
    /// 301, 302, 303, 307 or 308.
    package let status: Int
    /// Where it led.
    package let to: WebURL

    package init(status: Int, to: WebURL) {
        self.status = status
        self.to = to
    }
}
