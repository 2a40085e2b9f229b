import RefreshCore

/// A question of a customer, as it stands at one moment.
struct Ticket: Sendable, Equatable {
    /// In the order in which a ticket goes through them, once.
    enum Status: String, Sendable, CaseIterable {
        case open, assigned, answered, closed, deleted
    }

    let number: Int64
    let title: String
    let assignee: String
    let status: Status
    /// Seconds since 1970, as all times here.
    let opened: Int64
    /// When it took its status.
    let updated: Int64

    var id: String { "T-\(number)" }

    /// Of a deleted one nothing is told but that it is.
    func write(to text: inout JSONText) {
        text.object { text in
            text.name("id")
            text.string(id)
            if status != .deleted {
                text.name("title")
                text.string(title)
                text.name("assignee")
                if status == .open { text.null() } else { text.string(assignee) }
                text.name("opened_at")
                text.string(Timestamp(seconds: opened).rfc3339)
                text.name("updated_at")
                text.string(Timestamp(seconds: updated).rfc3339)
            }
            text.name("status")
            text.string(status.rawValue)
        }
    }

    static let troubles = [
        "the handle came off", "arrived in two pieces", "wrong colour", "where is my parcel",
        "how is it cleaned", "the lid does not close", "sent twice", "smaller than it looks",
    ]
    static let helpers = ["Ada", "Bruno", "Chidi", "Dorothea", "Emre"]
}
