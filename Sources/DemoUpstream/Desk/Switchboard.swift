import RefreshCore

/// How each document is told to behave. The last word counts: one for all makes earlier ones for single documents
/// void, and a later one for a single document is an exception.
struct Switchboard: Sendable, Equatable {
    enum Mode: Sendable, Equatable {
        case normal
        case fail(Status, retryAfter: Int?)
        case slow(milliseconds: Int)
        /// Hangs up without an answer.
        case vanish
    }

    private var common = Mode.normal
    private var exceptions: [String: Mode] = [:]

    func mode(of path: String) -> Mode { exceptions[path] ?? common }

    mutating func obey(_ order: SwitchOrder) {
        guard let path = order.path else {
            common = order.mode
            exceptions = [:]
            return
        }
        exceptions[path] = order.mode == common ? nil : order.mode
    }

    var document: Document {
        Document { text in
            text.name("all")
            common.write(to: &text)
            text.name("paths")
            text.object { text in
                for path in Site.paths {
                    guard let mode = exceptions[path] else { continue }
                    text.name(path.utf8)
                    mode.write(to: &text)
                }
            }
        }
    }
}

extension Switchboard.Mode {
    /// In the words of the order that sets it.
    func write(to text: inout JSONText) {
        text.object { text in
            text.name("mode")
            switch self {
            case .normal: text.string("normal")
            case .vanish: text.string("vanish")
            case .slow(let milliseconds):
                text.string("slow")
                text.name("ms")
                text.number(milliseconds)
            case .fail(let status, let retryAfter):
                text.string("fail")
                text.name("status")
                text.number(status.code)
                guard let retryAfter else { return }
                text.name("retry_after")
                text.number(retryAfter)
            }
        }
    }
}
