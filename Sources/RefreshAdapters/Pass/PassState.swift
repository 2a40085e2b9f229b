import RefreshCore
import RefreshFormats

/// What is kept of a feed's passes between them, of a size that does not grow: the text of its checkpoint.
package struct PassState: Sendable, Equatable {
    /// A pass under way.
    package struct Open: Sendable, Equatable {
        /// When its last page was stored.
        package var at: Timestamp
        package var position: PagePosition
        package var pages = 0
        package var rows = 0
        /// What the upstream said of the length of the list.
        package var total: Int?
        package var isFull = false
        package var increments = Increments.Kept()
        /// Of `server_time`: what the first page said.
        package var next: ScalarValue?
        /// Of sub-passes: the parents behind this place of their first sight are still to be read.
        package var parent: Int64?

        package init(at: Timestamp, position: PagePosition) {
            self.at = at
            self.position = position
        }
    }

    /// What the next pass asks from.
    package var key: ScalarValue?
    /// How far the last pass came, where the key follows it one pass behind.
    package var reached: ScalarValue?
    /// The start of the last pass that proved the whole list.
    package var lastFull: Timestamp?
    /// The start of the last one that was to.
    package var lastTried: Timestamp?
    /// Where the parent feed's log stood when its items were last gone through.
    package var parentEpoch: UInt64?
    package var parentSeq: Int64?
    package var open: Open?

    package init() {}

    package var isEmpty: Bool { self == PassState() }

    // MARK: - Stored

    /// Nil where nothing is to be kept.
    package func checkpoint(scope: UInt64) -> Checkpoint? {
        isEmpty ? nil : Checkpoint(text: text, scope: scope)
    }

    /// What a checkpoint says, if it was made for the same request; nothing else.
    package init(_ checkpoint: Checkpoint?, scope: UInt64) {
        guard let checkpoint, checkpoint.scope == scope,
            let document = try? JSONDocument(parsing: PaddedBytes(checkpoint.text))
        else { return }
        let members = Members(document, document.root)
        key = members["key"]
        reached = members["reached"]
        lastFull = members.time("full")
        lastTried = members.time("tried")
        parentEpoch = members["epoch"].flatMap { UInt64($0.text) }
        parentSeq = members.number("seq")
        guard let node = document.member("open", of: document.root) else { return }
        let inner = Members(document, node)
        guard let at = inner.time("at") else { return }
        var open = Open(at: at, position: PagePosition(document, node))
        open.pages = inner.number("pages").map(Int.init) ?? 0
        open.rows = inner.number("rows").map(Int.init) ?? 0
        open.total = inner.number("total").map(Int.init)
        open.isFull = inner["whole"]?.flag ?? false
        open.increments.since = inner["since"]
        open.increments.until = inner["until"]
        open.increments.largest = inner["largest"]
        open.increments.ceiling = inner.time("ceiling")
        open.increments.windowEnd = inner.time("window")
        open.next = inner["next"]
        open.parent = inner.number("parent")
        self.open = open
    }

    private struct Members {
        let document: JSONDocument
        let node: JSONNode

        init(_ document: JSONDocument, _ node: JSONNode) {
            self.document = document
            self.node = node
        }

        subscript(name: String) -> ScalarValue? {
            document.member(name, of: node).flatMap(document.scalar(of:))
        }

        func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0.text) } }
        func time(_ name: String) -> Timestamp? { number(name).map(Timestamp.init(microseconds:)) }
    }

    private var text: String {
        var text = JSONText()
        text.object { text in
            PassState.write("key", key, to: &text)
            PassState.write("reached", reached, to: &text)
            PassState.write("full", lastFull?.microseconds, to: &text)
            PassState.write("tried", lastTried?.microseconds, to: &text)
            PassState.write("epoch", parentEpoch, to: &text)
            PassState.write("seq", parentSeq, to: &text)
            guard let open else { return }
            text.name("open")
            text.object { PassState.write(open, to: &$0) }
        }
        return text.text
    }

    private static func write(_ open: Open, to text: inout JSONText) {
        write("at", open.at.microseconds, to: &text)
        open.position.write(to: &text)
        write("pages", open.pages, to: &text)
        write("rows", open.rows, to: &text)
        write("total", open.total, to: &text)
        if open.isFull {
            text.name("whole")
            text.bool(true)
        }
        write("since", open.increments.since, to: &text)
        write("until", open.increments.until, to: &text)
        write("largest", open.increments.largest, to: &text)
        write("ceiling", open.increments.ceiling?.microseconds, to: &text)
        write("window", open.increments.windowEnd?.microseconds, to: &text)
        write("next", open.next, to: &text)
        write("parent", open.parent, to: &text)
    }

    private static func write(_ name: StaticString, _ value: ScalarValue?, to text: inout JSONText) {
        guard let value else { return }
        text.name(name)
        text.raw(value.json)
    }

    private static func write(
        _ name: StaticString, _ number: (some FixedWidthInteger)?, to text: inout JSONText
    ) {
        guard let number else { return }
        text.name(name)
        text.number(number)
    }
}
