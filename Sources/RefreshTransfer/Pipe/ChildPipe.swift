import CLinux
import RefreshCore
import Synchronization

/// A program of the user's as a filter: bytes go in at its standard input, and come out at its standard output.
///
/// It runs in a process group of its own, in `/`, with an environment of a few variables and limits on what it may use;
/// what is left of the group at its end is killed. A process that leaves the group is out of reach.
package struct ChildPipe: Sendable {
    /// What one run may cost.
    package struct Limits: Sendable, Equatable {
        package var time: Duration = .seconds(60)
        /// How long a program that was told to end has for it.
        package var grace: Duration = .seconds(2)
        /// Of what it writes to its standard output.
        package var output: ByteCount = .mebibytes(64)
        /// Of each process's data.
        package var memory: ByteCount = .mebibytes(1_024)
        package var files = 64

        package init() {}
    }

    let command: [String]
    let limits: Limits

    /// - Parameter command: the program, looked for in `/usr/local/bin:/usr/bin:/bin` where it is no path, and its
    ///   arguments; no shell reads them.
    package init(_ command: [String], limits: Limits = Limits()) {
        self.command = command
        self.limits = limits
    }

    /// For messages: arguments may say more than others should know.
    var program: String { command.first ?? "" }

    /// What the program makes of `input`.
    ///
    /// Cancelling the task ends the program.
    package func run(_ input: PaddedBytes) async throws(PipeFailure) -> [UInt8] {
        let bell = PipeBell()
        guard bell.descriptor >= 0 else {
            throw .cannotStart(program: program, reason: "no descriptor is left")
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                PipeThread.start {
                    continuation.resume(returning: converse(input, bell))
                } onFailure: {
                    continuation.resume(
                        returning: .failure(.cannotStart(program: program, reason: "no thread for it")))
                }
            }
        } onCancel: {
            bell.ring()
        }.get()
    }

    private func converse(_ input: PaddedBytes, _ bell: PipeBell) -> Result<[UInt8], PipeFailure> {
        do throws(PipeFailure) {
            var conversation = PipeConversation(self, input, try PipeChild(self), bell)
            return .success(try conversation.run())
        } catch {
            return .failure(error)
        }
    }
}

/// Wakes the thread that waits for a program.
final class PipeBell: Sendable {
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    func ring() {
        var one: UInt64 = 1
        // It fails only where it has rung without end.
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}

/// A thread for one run: it waits, which nothing on the pool may.
private enum PipeThread {
    final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ work: @escaping @Sendable () -> Void, onFailure: () -> Void) {
        let box = unsafe Unmanaged.passRetained(Work(work))
        var started = pthread_t()
        guard unsafe pthread_create(&started, nil, runPipe, box.toOpaque()) == 0 else {
            unsafe box.release()
            return onFailure()
        }
        // It fails only for a thread that is not there.
        _ = pthread_detach(started)
    }
}

private func runPipe(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // A program need not read all of its input; the error code is enough.
    var pipe = sigset_t()
    _ = unsafe sigemptyset(&pipe)
    _ = unsafe sigaddset(&pipe, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &pipe, nil)
    if let context = unsafe context {
        unsafe Unmanaged<PipeThread.Work>.fromOpaque(context).takeRetainedValue().body()
    }
    return nil
}
