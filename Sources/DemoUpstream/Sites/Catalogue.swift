/// What the shop has had ever since: names and the prices around which they move, in cents.
enum Catalogue {
    struct Entry: Sendable {
        let id: String
        let name: String
        let price: Int

        init(_ id: String, _ name: String, _ price: Int) {
            self.id = id
            self.name = name
            self.price = price
        }
    }

    static let entries = [
        Entry("teapot", "Teapot, 1 l", 2490), Entry("kettle", "Kettle, enamelled", 3900),
        Entry("mug", "Mug", 850), Entry("saucer", "Saucer", 420), Entry("whisk", "Whisk", 790),
        Entry("sieve", "Sieve, fine", 640), Entry("ladle", "Ladle", 915), Entry("grater", "Grater", 1190),
        Entry("board", "Chopping board, ash", 2750), Entry("knife", "Kitchen knife", 4500),
        Entry("rolling-pin", "Rolling pin", 1380), Entry("jar", "Preserving jar", 330),
        Entry("scales", "Kitchen scales", 5200), Entry("timer", "Egg timer", 1210),
        Entry("apron", "Apron, linen", 2980), Entry("towel", "Tea towel", 560),
        Entry("basket", "Bread basket", 1640), Entry("candle", "Candle, beeswax", 990),
        Entry("lantern", "Lantern", 3450), Entry("broom", "Broom", 1870),
        Entry("bucket", "Bucket, zinc", 2240),
        Entry("stool", "Stool, oak", 7900), Entry("hook", "Wall hook", 275),
        Entry("clock", "Wall clock", 4890),
        Entry("vase", "Vase", 2160), Entry("tray", "Tray", 1730), Entry("crate", "Crate, pine", 1450),
    ]

    /// Sold for a few minutes and never again under the same id.
    static let offers = ["Surprise box", "Returned goods", "Last pieces", "Chipped but fine", "Sample set"]
}
