/// Whom a request trusts, and as whom it shows itself, over TLS. Version 1.2 is the least, always.
package struct TLSSettings: Sendable, Equatable {
    /// Certificates in PEM that are trusted in the place of the system's; nil is the system's.
    package var authorities: [UInt8]?
    /// The client's certificate in PEM, with its chain; shown to the origin that the file names alone.
    package var certificate: [UInt8]?
    /// The client's key in PEM; nil where it stands with the certificate.
    package var key: [UInt8]?
    /// Whether the server has to prove who it is.
    package var verify = true

    package init() {}
}
