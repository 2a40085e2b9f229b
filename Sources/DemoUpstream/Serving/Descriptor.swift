import Glibc

/// A file descriptor that is closed at the end of its life.
struct Descriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    // Nothing was written that a failing close could lose.
    deinit { _ = close(number) }
}
