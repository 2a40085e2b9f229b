#if THREAD_SANITIZER
    // The thread sanitizer does not see that what a thread wrote before it resumed a continuation is there for the task
    // that goes on (docs/decisions/0009-sanitizers.md). In its build these names stand before those of the runtime, and
    // the value goes through a lock that it does see.

    package struct CheckedContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate final class Box: Sendable {
            let result = Locked<Result<Value, Failure>?>(nil)

            func take() -> Result<Value, Failure> {
                guard let result = result.withLock({ $0.take() }) else {
                    preconditionFailure("a continuation goes on with what it was resumed with")
                }
                return result
            }
        }

        fileprivate let box: Box
        fileprivate let bare: _Concurrency.CheckedContinuation<Void, Never>

        package func resume(with result: Result<Value, Failure>) {
            box.result.withLock { $0 = result }
            bare.resume()
        }

        package func resume(returning value: Value) { resume(with: .success(value)) }
        package func resume(throwing failure: Failure) { resume(with: .failure(failure)) }
        package func resume() where Value == Void { resume(with: .success(())) }
    }

    package func withCheckedContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        let box = CheckedContinuation<Value, Never>.Box()
        await _Concurrency.withCheckedContinuation(isolation: isolation) { bare in
            body(CheckedContinuation(box: box, bare: bare))
        }
        return box.take().get()
    }

    package func withCheckedThrowingContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (CheckedContinuation<Value, any Error>) -> Void
    ) async throws -> Value {
        let box = CheckedContinuation<Value, any Error>.Box()
        await _Concurrency.withCheckedContinuation(isolation: isolation) { bare in
            body(CheckedContinuation(box: box, bare: bare))
        }
        return try box.take().get()
    }
#endif
