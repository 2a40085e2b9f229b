import RefreshCore
import TestSupport

/// Documents on loopback with ETags, which a test may edit, break and count.
final class SampleUpstream: Sendable {
    private struct State {
        var documents: [String: (type: String, body: [UInt8])] = [:]
        var status: Int?
    }

    private final class Shelf: Sendable {
        let state = Locked(State())
    }

    private let shelf: Shelf
    private let server: ScriptedUpstream

    init() throws {
        let shelf = Shelf()
        self.shelf = shelf
        server = try ScriptedUpstream { request in
            shelf.state.withLock { state in
                if let status = state.status {
                    return UpstreamAnswer(status: status, text: "broken by the test")
                }
                guard let document = state.documents[request.path] else { return UpstreamAnswer(status: 404) }
                return .document(
                    document.body, type: document.type, etag: "\"\(FNV.hash64(document.body))\"", to: request)
            }
        }
    }

    deinit { server.stop() }

    func url(_ path: String) -> String { server.url(path) }

    func put(_ body: [UInt8], type: String, at path: String) {
        shelf.state.withLock { $0.documents[path] = (type, body) }
    }

    /// Replaces the first `old` in the document at `path` by `new`; false where it is not there.
    func edit(_ path: String, replacing old: String, by new: String) -> Bool {
        shelf.state.withLock { state in
            guard let range = state.documents[path]?.body.firstRange(of: Array(old.utf8)) else {
                return false
            }
            state.documents[path]?.body.replaceSubrange(range, with: Array(new.utf8))
            return true
        }
    }

    /// Answers everything with `status` from here on; nil mends it.
    func fail(with status: Int?) { shelf.state.withLock { $0.status = status } }

    /// What was asked of `path`, in order.
    func requests(_ path: String) -> [UpstreamRequest] { server.requests.filter { $0.path == path } }

    /// Takes the server off the network.
    func vanish() { server.stop() }
}
