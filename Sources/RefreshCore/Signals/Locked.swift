#if THREAD_SANITIZER
    import Glibc

    /// The lock of the other builds in a form that the thread sanitizer sees: it watches `pthread_mutex_lock`, but not
    /// the kernel's futexes, on which `Mutex` is built (docs/decisions/0009-sanitizers.md).
    @safe package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        // Sendable: the value is only reached while the lock is held, as with `Mutex`.
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        package init(_ initial: consuming sending Value) {
            unsafe lock = .allocate(capacity: 1)
            let code = unsafe pthread_mutex_init(lock, nil)
            precondition(code == 0, "a lock with the usual attributes can be made")
            unsafe value = .allocate(capacity: 1)
            unsafe value.initialize(to: initial)
        }

        deinit {
            unsafe value.deinitialize(count: 1)
            unsafe value.deallocate()
            // Nobody can hold the lock of what nobody holds.
            _ = unsafe pthread_mutex_destroy(lock)
            unsafe lock.deallocate()
        }

        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            let locked = unsafe pthread_mutex_lock(lock)
            precondition(locked == 0, "a lock that lives can be taken")
            defer {
                let unlocked = unsafe pthread_mutex_unlock(lock)
                precondition(unlocked == 0, "who has a lock can give it back")
            }
            return try unsafe body(&value.pointee)
        }
    }
#else
    import Synchronization

    /// A value that is only reached while its lock is held: take it, copy out, release, then act.
    ///
    /// It has a name of its own because a build for the thread sanitizer needs another lock.
    package typealias Locked = Mutex
#endif
