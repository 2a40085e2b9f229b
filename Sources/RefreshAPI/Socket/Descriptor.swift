import CLinux

/// A descriptor that is closed at the end of its owner's life.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Takes `number` over; nil where the call that was to make it failed.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        // There is nothing left to do about a failed close.
        _ = close(number)
    }

    /// Gives the descriptor up to somebody who will close it.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// The text of `errno` as the last call left it.
func lastError() -> String {
    let code = refreshd_errno()
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
