/// So many of something in a time, as `60/1m` in the file.
package struct Rate: Sendable, Hashable {
    package let count: Int
    package let per: Duration

    package init(count: Int, per: Duration) {
        self.count = count
        self.per = per
    }
}

/// How an upstream tells what is left of a rate limit.
package enum RateHeaders: Sendable, Hashable {
    package enum ResetForm: String, Sendable, CaseIterable {
        case delta, epoch, epochMilliseconds = "epoch_ms"
    }

    case auto, off
    case named(remaining: String, reset: String, form: ResetForm)
}

/// What a feed may cost its upstream and this host.
package struct FeedLimits: Sendable, Equatable {
    package var rate: Rate?
    package var burst: Int?
    package var concurrent = 1
    /// The name of a budget that it shares.
    package var share: String?
    package var headers = RateHeaders.auto
    /// The share of a budget that is kept for wishes.
    package var reserve = 0.1
    /// The longest pause inside a pass; a longer one ends it.
    package var waitMax: Duration = .seconds(3_600)
    package var depth = 256
    /// How long one pass may take, pauses not counted.
    package var pass: Duration = .seconds(600)
    /// Records a pass.
    package var rows = 1_000_000
    package var keyBytes: ByteCount = .kibibytes(1)
    package var itemBytes: ByteCount = .mebibytes(1)

    package init() {}
}

/// A named rate limit that feeds share.
package struct Budget: Sendable, Equatable {
    package let name: String
    package var rate: Rate?
    package var burst: Int?
    package var concurrent: Int?
    package var headers = RateHeaders.auto

    package init(name: String) { self.name = name }
}

/// A program of the user's that reads an upstream.
package struct PluginPlan: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable { case serve, once, simple }

    package let name: String
    package var command: [String] = []
    package var mode = Mode.serve
    /// A JSON text, handed over as it is.
    package var config: String?
    package var secrets: [Secret] = []
    package var memory: ByteCount?
    package var files: Int?
    package var idle: Duration?
    package var concurrency: Int?

    package struct Secret: Sendable, Hashable {
        package let name: String
        package let source: SecretSource

        package init(name: String, source: SecretSource) {
            self.name = name
            self.source = source
        }
    }

    package init(name: String) { self.name = name }
}
