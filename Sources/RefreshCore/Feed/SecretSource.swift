/// Where a secret value comes from. It is read again at each use and never printed.
package enum SecretSource: Hashable, Sendable {
    /// It stands in the file itself.
    case literal(String)
    /// The content of a file, without the line end at its end.
    case file(String)
    /// A variable of the daemon's environment.
    case environment(String)
    /// A credential that systemd hands over (`LoadCredential=`).
    case credential(String)

    /// What can be told of it: where it comes from, not what it is.
    package var display: String {
        switch self {
        case .literal: "a value in the configuration"
        case .file(let path): "the file \(path)"
        case .environment(let name): "the environment variable \(name)"
        case .credential(let name): "the credential \(name)"
        }
    }
}

/// Text of a request that may be secret.
package enum FieldText: Hashable, Sendable {
    case template(Template)
    case secret(SecretSource)
}
