/// Keeps the loop from spinning for a client of whose bytes nothing can be made.
///
/// libmicrohttpd asks to be called again at once while a connection has unread bytes, even where its buffer is full and
/// what is in it has no end, as with a chunk's extension. Nothing comes of such calls, and by that they are known.
struct Restraint: Equatable {
    /// Calls in a row that may come to nothing: a large answer is sent piece by piece and by many of them.
    static let patience = 1_000
    static let pause = 10

    private var fruitless = 0

    /// Milliseconds to wait before the next call, where libmicrohttpd wants to wait `wanted`; negative: until
    /// something comes.
    ///
    /// - Parameter hasWorked: whether anything came of the last call.
    mutating func wait(_ wanted: Int, hasWorked: Bool) -> Int {
        guard wanted == 0, !hasWorked else {
            fruitless = 0
            return wanted
        }
        fruitless = min(fruitless + 1, Restraint.patience)
        return fruitless == Restraint.patience ? Restraint.pause : 0
    }
}
