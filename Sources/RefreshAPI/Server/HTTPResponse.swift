import CMicroHTTPD

/// An answer in the hands of libmicrohttpd; it can be queued any number of times and copies nothing then.
@safe final class HTTPResponse {
    private let handle: OpaquePointer
    let status: UInt32

    /// Nil where there is no memory for it.
    convenience init?(_ answer: Answer) {
        // One copy: the bytes have to outlive this call, and libmicrohttpd frees what it has copied.
        let handle = unsafe answer.body.withUnsafeBytes { bytes in
            unsafe MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        unsafe self.init(adopting: handle, head: answer)
    }

    /// Takes over a response that libmicrohttpd has made, and gives it the head of `answer`; nil where there is none,
    /// or no memory for it.
    init?(adopting handle: OpaquePointer?, head answer: Answer) {
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
        status = answer.status
        for field in answer.fields {
            guard unsafe MHD_add_response_header(handle, field.name, field.value) == .YES else { return nil }
        }
        if answer.closes, unsafe MHD_add_response_header(handle, "Connection", "close") != .YES { return nil }
    }

    /// With what goes with every answer, but without what goes with one request.
    convenience init?(toKeep answer: Answer) {
        var answer = answer
        answer.addVersion()
        self.init(answer)
    }

    // It counts its users: what is being sent stays until it is sent.
    deinit { unsafe MHD_destroy_response(handle) }

    /// False where libmicrohttpd does not take it, and the connection has to be closed.
    func queue(on connection: OpaquePointer) -> Bool {
        unsafe MHD_queue_response(connection, status, handle) == .YES
    }
}
