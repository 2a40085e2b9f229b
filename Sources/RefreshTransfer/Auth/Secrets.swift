import Glibc
import RefreshCore

/// Reads secrets from where the file says they are, anew at each use, and remembers them to hide them.
package final class Secrets: Sendable {
    private struct State {
        /// The last values of each source: a message of the time before a change may come late.
        var values: [SecretSource: [String]] = [:]
        /// Tokens that endpoints gave, the latest last.
        var tokens: [String] = []
        /// Made when it is asked for; nil after a change.
        var mask: SecretMask?
        /// Files that were warned of.
        var warned: Set<String> = []
    }

    private static let mostTokens = 1_000

    private let environment: @Sendable (String) -> String?
    private let standIns: [String: String]
    private let warn: @Sendable (String) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - environment: the value of a variable; the process's own by default.
    ///   - standIns: files, by the names of the credentials that they stand in for.
    ///   - warn: is called once for each file that everybody may read.
    package init(
        environment: @escaping @Sendable (String) -> String? = Secrets.variable,
        standIns: [String: String] = [:], warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.environment = environment
        self.standIns = standIns
        self.warn = warn
    }

    /// A variable of this process's environment.
    @Sendable package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Hides everything that was read or granted so far.
    package var mask: SecretMask {
        state.withLock { state in
            if let mask = state.mask { return mask }
            let mask = SecretMask(state.values.values.joined() + state.tokens)
            state.mask = mask
            return mask
        }
    }

    /// One line of text: what goes into a header, a URL or a form.
    package func text(_ source: SecretSource) throws(SecretFailure) -> String {
        let bytes = try read(source)
        guard !bytes.isEmpty else { throw .empty(source: source.display) }
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .notText(source: source.display) }
        remember(text, of: source)
        return text
    }

    /// The bytes of a document such as a key, as they are but for a line end at the end.
    package func bytes(_ source: SecretSource) throws(SecretFailure) -> [UInt8] {
        let bytes = try read(source)
        guard !bytes.isEmpty else { throw .empty(source: source.display) }
        return bytes
    }

    /// Hides `token` from now on.
    package func hide(_ token: String) {
        state.withLock { state in
            guard !state.tokens.contains(token) else { return }
            state.tokens.append(token)
            if state.tokens.count > Secrets.mostTokens { state.tokens.removeFirst() }
            state.mask = nil
        }
    }

    // MARK: - Sources

    private func read(_ source: SecretSource) throws(SecretFailure) -> [UInt8] {
        switch source {
        case .literal(let value): return Array(value.utf8)
        case .file(let path): return try file(path, source)
        case .environment(let name):
            guard let value = environment(name) else { throw .missing(source: source.display) }
            return Secrets.withoutLineEnd(Array(value.utf8))
        case .credential(let name):
            if let path = standIns[name] { return try file(path, .file(path)) }
            // The name is a file's, and of that folder alone.
            let isName = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(0x2F)
            guard isName, let folder = environment("CREDENTIALS_DIRECTORY") else {
                throw .missing(source: source.display)
            }
            return Secrets.withoutLineEnd(
                try SecretFile.read("\(folder)/\(name)", source: source.display).bytes)
        }
    }

    private func file(_ path: String, _ source: SecretSource) throws(SecretFailure) -> [UInt8] {
        let content = try SecretFile.read(path, source: source.display)
        if content.isOpenToAll, state.withLock({ $0.warned.insert(path).inserted }) {
            warn("everybody on this host may read the secret in \(path); chmod o-r helps")
        }
        return Secrets.withoutLineEnd(content.bytes)
    }

    /// Editors end a file with a line end, which is no part of the secret.
    private static func withoutLineEnd(_ bytes: [UInt8]) -> [UInt8] {
        var end = bytes.endIndex
        if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
        if end < bytes.endIndex, end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        return Array(bytes[..<end])
    }

    // MARK: - Memory

    private func remember(_ text: String, of source: SecretSource) {
        state.withLock { state in
            var known = state.values[source] ?? []
            guard known.last != text else { return }
            known.removeAll { $0 == text }
            state.values[source] = (known + [text]).suffix(2)
            state.mask = nil
        }
    }
}
