extension Engine {
    /// Returns as soon as the actor comes to it: proof that it, and the pool that it runs on, are alive.
    package func isAlive() -> Bool { true }
}
