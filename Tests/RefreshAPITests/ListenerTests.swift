import CLinux
import RefreshCore
import TestSupport
import Testing

@testable import RefreshAPI

@Suite("The listening socket") struct ListenerTests {
    private static func mode(_ path: String) -> UInt32? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
    }

    /// A listening socket that nobody of us made.
    private static func foreignSocket(_ path: String, listens: Bool) throws -> Descriptor {
        let address = try #require(UnixAddress(path: path))
        guard let socket = UnixAddress.makeSocket(nonblocking: true), address.bind(socket.number) == 0 else {
            preconditionFailure("a test socket cannot be bound")
        }
        if listens { precondition(listen(socket.number, 1) == 0) }
        return socket
    }

    private static func failure(_ plan: SocketPlan) -> APIFailure? {
        do {
            _ = try Listener.open(plan)
            return nil
        } catch {
            return error
        }
    }

    @Test("its permissions are the ones wished for, whatever the umask", arguments: [0o600, 0o660, 0o666])
    func permissions(_ mode: UInt32) throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        let listener = try Listener.open(.make(path: path, mode: mode))
        #expect(ListenerTests.mode(path) == mode)
        #expect(listener.descriptor >= 0)
        #expect(refreshd_fcntl(listener.descriptor, F_GETFD, 0) & FD_CLOEXEC != 0)
        #expect(ListenerTests.mode("\(path).lock") == 0o600)
    }

    @Test(
        "a missing folder is made, open where others are to pass",
        arguments: [(0o600, 0o700), (0o666, 0o755)])
    func folder(_ mode: UInt32, _ expected: UInt32) throws {
        let folder = TemporaryFolder()
        let listener = try Listener.open(.make(path: folder.path("run/s"), mode: mode))
        #expect(listener.descriptor >= 0)
        let made = try #require(ListenerTests.mode(folder.path("run")))
        // The umask of whoever runs the test may take more away.
        #expect(made & ~expected == 0 && made & 0o700 == 0o700)
    }

    @Test("two daemons cannot have one socket")
    func locked() throws {
        let folder = TemporaryFolder()
        let plan = SocketPlan.make(path: folder.path("s"), mode: 0o600)
        let first = try Listener.open(plan)
        #expect(ListenerTests.failure(plan) == .alreadyRunning(path: folder.path("s")))
        #expect(first.descriptor >= 0)
    }

    @Test("a socket at which somebody answers is left alone")
    func answered() throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        let other = try ListenerTests.foreignSocket(path, listens: true)
        #expect(ListenerTests.failure(.make(path: path, mode: 0o600)) == .alreadyRunning(path: path))
        #expect(UnixHTTP.connected(to: path).map { close($0) } == 0)
        #expect(other.number >= 0)
    }

    @Test("a socket that a killed daemon left is taken over")
    func stale() throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        do {
            let dead = try ListenerTests.foreignSocket(path, listens: false)
            #expect(dead.number >= 0)
        }
        let listener = try Listener.open(.make(path: path, mode: 0o600))
        #expect(listener.descriptor >= 0)
        #expect(UnixHTTP.connected(to: path).map { close($0) } == 0)
    }

    @Test("what is not a socket is never removed")
    func occupied() throws {
        let folder = TemporaryFolder()
        let path = folder.write("precious", to: "s")
        #expect(ListenerTests.failure(.make(path: path, mode: 0o600)) == .occupied(path: path))
        #expect(readFile(path) == Array("precious".utf8))
    }

    @Test("it is removed at the end, unless somebody has put another one there")
    func removed() throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        do {
            let listener = try Listener.open(.make(path: path, mode: 0o600))
            #expect(listener.descriptor >= 0)
        }
        #expect(ListenerTests.mode(path) == nil)
        do {
            let listener = try Listener.open(.make(path: path, mode: 0o600))
            #expect(listener.descriptor >= 0)
            #expect(unsafe unlink(path) == 0)
            let other = try ListenerTests.foreignSocket(path, listens: true)
            #expect(other.number >= 0)
        }
        #expect(ListenerTests.mode(path) != nil)
    }

    @Test("nothing but the socket and its lock is left in the folder")
    func tidy() throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        do {
            let listener = try Listener.open(.make(path: path, mode: 0o600))
            #expect(listener.descriptor >= 0)
        }
        #expect(unsafe unlink("\(path).lock") == 0)
        #expect(unsafe rmdir(folder.path) == 0)
    }

    @Test("a path that does not fit into a socket's address is refused")
    func tooLong() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        #expect(
            ListenerTests.failure(.make(path: path, mode: 0o600))
                == .pathTooLong(path: path, limit: UnixAddress.longestPath))
    }

    @Test("a descriptor that was handed over must listen on a Unix socket, and its name stays")
    func inherited() throws {
        let folder = TemporaryFolder()
        let path = folder.path("s")
        let closed = try ListenerTests.foreignSocket(path, listens: false)
        #expect(
            ListenerTests.failure(.inherited(descriptor: closed.number))
                == .notASocket(descriptor: closed.number))
        #expect(unsafe unlink(path) == 0)
        do {
            let open = try ListenerTests.foreignSocket(path, listens: true)
            let listener = try Listener.open(.inherited(descriptor: open.release()))
            #expect(listener.descriptor >= 0)
        }
        #expect(ListenerTests.mode(path) != nil)
    }
}
