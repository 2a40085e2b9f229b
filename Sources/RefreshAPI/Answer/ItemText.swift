import RefreshCore
import RefreshFormats
import RefreshStore

/// Items and changes as a view shows them.
struct ItemText {
    let view: ItemView
    let head: FeedHead
    /// The members to show, in their UTF-8; empty shows all.
    private let fields: [[UInt8]]
    private let times: WrittenTimes

    init(_ view: ItemView, _ head: FeedHead, _ times: WrittenTimes = WrittenTimes()) {
        self.times = times
        self.view = view
        self.head = head
        fields = view.fields.map { Array($0.utf8) }
    }

    /// An item, its record as the upstream wrote it.
    func write(_ item: ItemRow, to text: inout JSONText) {
        text.object { text in
            text.name("key")
            text.string(item.key.bytes)
            text.member("rev", item.rev)
            text.member("state", item.isGone ? "gone" : "live")
            text.name("order")
            write(item.order, to: &text)
            times.member("first_seen", item.firstSeen, .firstSeen, to: &text)
            times.member("listed_at", item.listedAt(in: head), .listedAt, to: &text)
            times.member("checked_at", item.checkedAt(in: head), .checkedAt, to: &text)
            times.member("changed_at", item.changedAt, .changedAt, to: &text)
            text.member("created_seq", item.createdSeq)
            text.member("seq", item.seq)
            if item.isGone {
                text.member("gone_at", item.changedAt)
                text.member("gone_reason", item.deleted?.name)
            }
            if let alias = item.alias {
                text.name("rekeyed_from")
                text.string(alias.bytes)
            }
            text.name("data")
            data(item, to: &text)
        }
    }

    /// A row of the change log (semantics K8).
    func write(_ change: ItemChange, to text: inout JSONText) {
        let row = change.row
        text.object { text in
            text.member("op", row.deleted == nil ? "upsert" : "delete")
            text.name("key")
            text.string(row.key.bytes)
            text.member("rev", row.rev)
            text.member("seq", row.seq)
            text.member("txn", row.txn)
            if let reason = row.deleted {
                text.member("reason", reason.name)
                if let alias = row.alias, reason == .replaced {
                    text.name("replaced_by")
                    text.string(alias.bytes)
                }
            } else {
                text.member("created", change.isCreated)
                if change.isRevived { text.member("revived", true) }
                text.name("item")
                write(row, to: &text)
            }
        }
    }

    /// Room that a row takes beside its record.
    static let overhead = 512

    // MARK: - Pieces

    private func write(_ order: OrderValue, to text: inout JSONText) {
        switch order {
        case .null: text.null()
        case .time(let time): text.string(time.rfc3339)
        case .number(let number): text.raw(number.text.utf8)
        case .text(let bytes): text.string(bytes)
        }
    }

    private func data(_ item: ItemRow, to text: inout JSONText) {
        guard !fields.isEmpty,
            let document = unsafe try? JSONDocument(parsing: PaddedBytes(Array(item.body))),
            document.root.kind == .object
        else { return unsafe text.raw(item.body) }
        text.object { text in
            for (name, value) in document.members(of: document.root) {
                guard let name = document.string(of: name), fields.contains(name) else { continue }
                text.name(name)
                text.raw(document.text(of: value))
            }
        }
    }
}
