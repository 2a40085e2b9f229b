import RefreshCore

/// One thing on the shop's list, as it is offered at one moment.
struct Product: Sendable, Equatable {
    let id: String
    let name: String
    /// In cents.
    let price: Int
    let stock: Int
    let updated: Timestamp

    func write(to text: inout JSONText) {
        text.object { text in
            text.name("id")
            text.string(id)
            text.name("name")
            text.string(name)
            text.name("price")
            text.raw(Product.decimal(cents: price).utf8)
            text.name("stock")
            text.number(stock)
            text.name("updated_at")
            text.string(updated.rfc3339)
        }
    }

    /// Always two places, as price lists have them: `12.50`, which a cache must not turn into `12.5`.
    static func decimal(cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
