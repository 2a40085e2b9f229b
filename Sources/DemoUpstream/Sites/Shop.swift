import RefreshCore

/// A shop whose list is never the same for long: prices and stock move, products leave the shelf and come back,
/// and offers appear that are soon gone for good.
package struct Shop: Sendable {
    private let chance: Chance

    package init(seed: UInt64) { chance = Chance(seed: seed) }

    /// The price list at `now`.
    package func products(at now: Timestamp) -> Document {
        Document { text in
            text.name("products")
            text.array { text in
                for product in offered(at: now) { product.write(to: &text) }
            }
        }
    }

    func offered(at now: Timestamp) -> [Product] {
        let seconds = now.wholeSeconds
        return regulars(at: seconds) + offers(at: seconds)
    }

    // MARK: - Regular products

    private func regulars(at now: Int64) -> [Product] {
        Catalogue.entries.enumerated().compactMap { index, entry in
            isOnShelf(index, at: now) ? regular(index, entry, at: now) : nil
        }
    }

    /// Away for the last seventh of a life that is ten to twenty minutes long.
    private func isOnShelf(_ index: Int, at now: Int64) -> Bool {
        let life = Int64(chance.number(index, 1, in: 600...1_200))
        let age = now + Int64(chance.number(index, 2, in: 0...1_199))
        return age - age.floored(by: life) * life < life - life / 7
    }

    /// Each product has its own beat of one to three minutes, so that some product changes every few seconds.
    /// At each beat some pieces are sold; with the last of them come new stock and a new price.
    private func regular(_ index: Int, _ entry: Catalogue.Entry, at now: Int64) -> Product {
        let beat = Int64(chance.number(index, 3, in: 60...180))
        let offset = Int64(chance.number(index, 4, in: 0...179))
        let count = (now + offset).floored(by: beat)
        let round = count.floored(by: 8)
        let full = chance.number(index, round &* 2, in: 12...60)
        let sold = full * Int(count - round * 8) / 7
        let percent = chance.number(index, round &* 2 + 1, in: 80...120)
        return Product(
            id: entry.id, name: entry.name, price: entry.price * percent / 100, stock: full - sold,
            updated: Timestamp(seconds: count * beat - offset))
    }

    // MARK: - Offers

    private static let offerEvery: Int64 = 120
    private static let offerLasts: Int64 = 360

    /// Cheaper with each minute that passes.
    private func offers(at now: Int64) -> [Product] {
        let newest = now.floored(by: Shop.offerEvery)
        let oldest = (now - Shop.offerLasts).floored(by: Shop.offerEvery) + 1
        return (oldest...newest).map { number in
            let start = number * Shop.offerEvery
            let minute = (now - start).floored(by: 60)
            let name = Catalogue.offers[chance.number(-1, number, in: 0...Catalogue.offers.count - 1)]
            let price = chance.number(-2, number, in: 500...3_000)
            return Product(
                id: "offer-\(number)", name: name, price: price * (10 - Int(minute)) / 10,
                stock: chance.number(-3, number, in: 3...9),
                updated: Timestamp(seconds: start + minute * 60))
        }
    }
}

extension Timestamp {
    /// Rounded towards the past.
    var wholeSeconds: Int64 { microseconds.floored(by: 1_000_000) }
}
