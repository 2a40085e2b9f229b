import CCurl

/// One libcurl handle with the memory that it borrows: reused from transfer to transfer.
@safe struct EasyHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer
    /// Where libcurl writes why a transfer failed.
    private let reasonText: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// The first refusal since the last `reset`: no transfer may start with an option missing.
    private(set) var fault = CURLE_OK

    init() throws(TransferFailure) {
        guard let made = unsafe curl_easy_init() else { throw .internal("libcurl gives no handle") }
        unsafe handle = made
        unsafe reasonText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe reasonText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe lines = nil
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(lines)
        unsafe reasonText.deallocate()
    }

    /// Back to the defaults; connections live in the multi handle and stay.
    mutating func reset() {
        unsafe curl_easy_reset(handle)
        unsafe curl_slist_free_all(lines)
        unsafe lines = nil
        fault = CURLE_OK
        unsafe reasonText[0] = 0
        unsafe note(refreshd_setopt_pointer(handle, CURLOPT_ERRORBUFFER, reasonText))
    }

    // MARK: - Options

    mutating func set(_ option: CURLoption, _ value: Int) {
        note(unsafe refreshd_setopt_long(handle, option, value))
    }

    mutating func set(_ option: CURLoption, _ value: String) {
        // libcurl copies the text.
        note(unsafe refreshd_setopt_string(handle, option, value))
    }

    mutating func setHeader(_ text: [String]) {
        for line in text {
            guard let longer = unsafe curl_slist_append(lines, line) else {
                note(CURLE_OUT_OF_MEMORY)
                return
            }
            unsafe lines = unsafe longer
        }
        note(unsafe refreshd_setopt_list(handle, CURLOPT_HTTPHEADER, lines))
    }

    mutating func setBody(_ body: [UInt8]) {
        note(unsafe refreshd_setopt_off(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        let code = unsafe body.withUnsafeBytes { bytes in
            // Copied here and now, as many bytes as the line above says.
            unsafe refreshd_setopt_pointer(
                handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
        note(code)
    }

    /// Names the functions that libcurl calls with `context`, which must outlive the transfer.
    @unsafe mutating func setCallbacks(_ callbacks: TransferCallbacks, context: UnsafeMutableRawPointer) {
        note(unsafe refreshd_setopt_data(handle, CURLOPT_WRITEFUNCTION, callbacks.body))
        note(unsafe refreshd_setopt_data(handle, CURLOPT_HEADERFUNCTION, callbacks.line))
        note(unsafe refreshd_setopt_opensocket(handle, callbacks.openSocket))
        note(unsafe refreshd_setopt_prereq(handle, callbacks.connected))
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
            CURLOPT_PRIVATE,
        ] {
            note(unsafe refreshd_setopt_pointer(handle, option, context))
        }
    }

    private mutating func note(_ code: CURLcode) {
        if fault == CURLE_OK { fault = code }
    }

    // MARK: - Afterwards

    /// What libcurl says of the failure.
    func reason(_ code: CURLcode) -> String {
        let text = unsafe String(cString: reasonText)
        guard text.isEmpty else { return text }
        return unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
    }

    /// errno of the last failed system call of the connection.
    var osError: Int32 {
        var number = 0
        let code = unsafe refreshd_getinfo_long(handle, CURLINFO_OS_ERRNO, &number)
        return code == CURLE_OK ? Int32(truncatingIfNeeded: number) : 0
    }

    // MARK: - In a multi handle

    borrowing func join(_ multi: Multi) -> CURLMcode { unsafe multi.add(handle) }

    borrowing func leave(_ multi: Multi) -> CURLMcode { unsafe multi.remove(handle) }
}

/// The file-level functions that libcurl calls back.
@unsafe struct TransferCallbacks {
    typealias Data = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    typealias OpenSocket =
        @convention(c) (
            UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?
        ) -> curl_socket_t
    typealias Connected =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32, Int32
        ) -> Int32

    let body: Data
    let line: Data
    let openSocket: OpenSocket
    let connected: Connected
}
