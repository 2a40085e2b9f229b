import CCurl

/// One libcurl handle with the memory that it borrows: reused from transfer to transfer.
@safe struct EasyHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer
    /// Where libcurl writes why a transfer failed.
    private let reasonText: UnsafeMutablePointer<CChar>
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var addresses: UnsafeMutablePointer<curl_slist>?
    /// The first refusal since the last `reset`: no transfer may start with an option missing.
    private(set) var fault = CURLE_OK

    init() throws(TransferFailure) {
        guard let made = unsafe curl_easy_init() else { throw .internal("libcurl gives no handle") }
        unsafe handle = made
        unsafe reasonText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe reasonText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe lines = nil
        unsafe addresses = nil
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(lines)
        unsafe curl_slist_free_all(addresses)
        unsafe reasonText.deallocate()
    }

    /// Back to the defaults; connections live in the multi handle and stay.
    mutating func reset() {
        unsafe curl_easy_reset(handle)
        unsafe curl_slist_free_all(lines)
        unsafe lines = nil
        unsafe curl_slist_free_all(addresses)
        unsafe addresses = nil
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

    /// Takes an option's default away.
    mutating func clear(_ option: CURLoption) {
        note(unsafe refreshd_setopt_string(handle, option, nil))
    }

    mutating func set(_ option: CURLoption, bytes: [UInt8]) {
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe refreshd_setopt_blob(handle, option, bytes.baseAddress, bytes.count)
        }
        note(code)
    }

    mutating func setHeader(_ text: [String]) {
        for line in text { unsafe lines = unsafe appended(line, to: lines) }
        note(unsafe refreshd_setopt_list(handle, CURLOPT_HTTPHEADER, lines))
    }

    mutating func setAddresses(_ text: [String]) {
        for entry in text { unsafe addresses = unsafe appended(entry, to: addresses) }
        note(unsafe refreshd_setopt_list(handle, CURLOPT_RESOLVE, addresses))
    }

    @unsafe private mutating func appended(
        _ text: String, to list: UnsafeMutablePointer<curl_slist>?
    ) -> UnsafeMutablePointer<curl_slist>? {
        guard let longer = unsafe curl_slist_append(list, text) else {
            note(CURLE_OUT_OF_MEMORY)
            return unsafe list
        }
        return unsafe longer
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

    /// Every cookie that the handle holds, one line each in Netscape's format.
    func cookies() -> [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard unsafe refreshd_getinfo_list(handle, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { unsafe curl_slist_free_all(list) }
        var lines: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let text = unsafe entry.pointee.data { unsafe lines.append(String(cString: text)) }
            unsafe next = entry.pointee.next
        }
        return lines
    }

    /// errno of the last failed system call of the connection.
    var osError: Int32 {
        var number = 0
        let code = unsafe refreshd_getinfo_long(handle, CURLINFO_OS_ERRNO, &number)
        return code == CURLE_OK ? Int32(truncatingIfNeeded: number) : 0
    }

    // MARK: - In a multi handle

    /// Goes on in both directions with a transfer that was paused; calls back at once with what it has kept.
    borrowing func resume() -> CURLcode { unsafe curl_easy_pause(handle, 0) }

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
