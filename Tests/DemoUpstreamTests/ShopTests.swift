import RefreshCore
import Testing

@testable import DemoUpstream

@Suite("The demo shop") struct ShopTests {
    private let shop = Shop(seed: 1)
    private let start = Timestamp(seconds: 1_767_225_600)

    private func products(at second: Int64) -> [Product] { shop.offered(at: start + .seconds(second)) }

    @Test("is the same for everybody who looks at the same moment")
    func isPure() {
        #expect(shop.products(at: start) == Shop(seed: 1).products(at: start))
        #expect(shop.products(at: start) != Shop(seed: 2).products(at: start))
    }

    @Test("does not change within a second")
    func isSteady() {
        #expect(shop.products(at: start) == shop.products(at: start + .milliseconds(999)))
    }

    @Test("offers about two dozen products, each once, at a fair price")
    func isPlausible() {
        for second in stride(from: Int64(0), to: 7_200, by: 97) {
            let products = products(at: second)
            #expect((20...30).contains(products.count))
            #expect(Set(products.map(\.id)).count == products.count)
            for product in products {
                #expect(product.price > 0 && product.stock >= 0)
                #expect(product.updated <= start + .seconds(second))
            }
        }
    }

    @Test("changes something every few seconds")
    func moves() {
        let tags = (0..<600).map { shop.products(at: start + .seconds($0)).entityTag }
        let changes = zip(tags, tags.dropFirst()).count { $0 != $1 }
        #expect((100...500).contains(changes))
    }

    @Test("tells a change in updated_at, and only then")
    func datesItsChanges() {
        for second in Int64(0)..<300 {
            let before = Dictionary(uniqueKeysWithValues: products(at: second).map { ($0.id, $0) })
            for after in products(at: second + 1) {
                guard let before = before[after.id] else { continue }
                if before.updated == after.updated { #expect(before == after) }
                #expect(before.updated <= after.updated)
            }
        }
    }

    @Test("sells until nothing is left, then has new stock and another price")
    func sells() {
        let seen = (0..<1_600).compactMap { second in products(at: second).first { $0.id == "mug" } }
        #expect(seen.contains { $0.stock == 0 })
        #expect(zip(seen, seen.dropFirst()).contains { $0.stock < $1.stock })
        #expect(Set(seen.map(\.price)).count > 1)
    }

    @Test("takes products off the shelf, brings the regular ones back, and never an offer")
    func comesAndGoes() {
        let hours = (0..<360).map { step in Set(products(at: Int64(step) * 20).map(\.id)) }
        let ever = hours.reduce(into: Set<String>()) { $0.formUnion($1) }
        for entry in Catalogue.entries {
            let spells = spells(of: entry.id, in: hours)
            #expect(spells > 1, "\(entry.id) was on the shelf \(spells) times")
        }
        let offers = ever.filter { $0.hasPrefix("offer-") }
        #expect(offers.count > 50)
        for offer in offers { #expect(spells(of: offer, in: hours) == 1) }
    }

    /// How often `id` came anew.
    private func spells(of id: String, in lists: [Set<String>]) -> Int {
        var before = false
        return lists.count { list in
            defer { before = list.contains(id) }
            return list.contains(id) && !before
        }
    }

    @Test("writes JSON, prices with two places", arguments: [(5, "0.05"), (90, "0.90"), (1_250, "12.50")])
    func writesPrices(cents: Int, text: String) { #expect(Product.decimal(cents: cents) == text) }

    @Test("writes a product as programs expect it")
    func writesProduct() {
        var text = JSONText()
        let product = Product(
            id: "mug", name: "Mug", price: 850, stock: 3, updated: Timestamp(seconds: 1_767_225_600))
        product.write(to: &text)
        #expect(
            text.text
                == #"{"id":"mug","name":"Mug","price":8.50,"stock":3,"updated_at":"2026-01-01T00:00:00Z"}"#)
    }

    @Test("works before 1970 too")
    func isTotal() { #expect(!shop.offered(at: Timestamp(seconds: -12_345)).isEmpty) }
}
