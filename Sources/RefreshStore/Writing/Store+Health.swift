extension Store {
    /// Returns when the writing thread has come to it, or has ended: proof that it hangs in no call.
    package func ping() async {
        // Nothing is asked for, so nothing can fail but a thread that has ended, and that is an answer too.
        _ = try? await load(feeds: [])
    }
}
