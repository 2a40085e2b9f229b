import RefreshCore

extension Secrets {
    /// What a request needs besides its URL, headers and body: trust, proxy and the socket, read anew.
    ///
    /// Sets `tls`, `proxy`, `mayLeaveOrigin` and the secret headers of `plan`; those count as credentials.
    package func complete(
        _ request: inout TransferRequest, from plan: RequestPlan
    ) throws(SecretFailure) {
        request.tls = try settings(plan.tls)
        request.proxy = try plan.proxy.map { plan throws(SecretFailure) in try settings(plan) }
        request.mayLeaveOrigin = plan.crossOrigin == .dropAuth
        for field in plan.headers {
            guard case .secret(let source) = field.value else { continue }
            let value = try text(source)
            request.credentials.headers.append(.init(field.name, value))
            // An upstream may repeat what stands behind the scheme alone (`Bearer TOKEN`).
            if let space = value.lastIndex(of: " ") { hide(String(value[value.index(after: space)...])) }
        }
    }

    package func settings(_ plan: TLSPlan) throws(SecretFailure) -> TLSSettings {
        var settings = TLSSettings()
        settings.verify = plan.verify
        settings.authorities = try plan.authorities.map(Secrets.certificates)
        settings.certificate = try plan.certificate.map(Secrets.certificates)
        settings.key = try plan.key.map { source throws(SecretFailure) in try bytes(source) }
        return settings
    }

    /// The system's whole bundle has a quarter of the limit.
    private static func certificates(_ path: String) throws(SecretFailure) -> [UInt8] {
        try SecretFile.read(path, source: "the file \(path)", limit: .mebibytes(1)).bytes
    }

    package func settings(_ plan: ProxyPlan) throws(SecretFailure) -> ProxySettings {
        let written = try text(plan.url)
        do {
            let proxy = try ProxySettings(parsing: written)
            if let password = proxy.password { hide(password) }
            return proxy
        } catch {
            throw .noProxy(source: plan.url.display, reason: error.message)
        }
    }
}
