import CCurl
import RefreshCore

/// The libcurl multi handle: connections, name cache and the transfers under way.
///
/// Sendable since `wake` is the one call that libcurl allows from any thread (curl_multi_wakeup(3)), and all else is
/// called by the transfer thread alone, which has been joined when this ends. That thread alone changes `handle`, and
/// `replacing` keeps `wake` from meeting it in the middle of that.
@safe final class Multi: @unchecked Sendable {
    private var handle: UnsafeMutableRawPointer
    private let replacing = Locked(())
    private let pooled: Int
    /// `NAME:PORT:ADDRESS,…` of names that are not to be looked up (CURLOPT_RESOLVE(3)).
    let addresses: [String]

    /// - Parameters:
    ///   - pooled: connections kept open for the next request.
    ///   - addresses: of names that are not to be looked up.
    init(pooled: Int, addresses: [String] = []) throws(TransferFailure) {
        self.pooled = pooled
        self.addresses = addresses
        unsafe handle = unsafe try Multi.made(pooled: pooled)
    }

    deinit {
        // It fails only for a handle that is none.
        _ = unsafe curl_multi_cleanup(handle)
    }

    /// Begins again, with no connection and no name known; there must be no transfer under way.
    func renew() throws(TransferFailure) {
        let made = unsafe try Multi.made(pooled: pooled)
        let old = unsafe replacing.withLock { _ in
            let old = unsafe handle
            unsafe handle = unsafe made
            return unsafe old
        }
        _ = unsafe curl_multi_cleanup(old)
    }

    @unsafe private static func made(pooled: Int) throws(TransferFailure) -> UnsafeMutableRawPointer {
        guard Multi.isLibraryReady else { throw .internal("libcurl cannot be set up") }
        guard let made = unsafe curl_multi_init() else { throw .internal("libcurl gives no multi handle") }
        guard unsafe refreshd_multi_setopt_long(made, CURLMOPT_MAXCONNECTS, pooled) == CURLM_OK else {
            _ = unsafe curl_multi_cleanup(made)
            throw .internal("libcurl refuses a pool of \(pooled) connections")
        }
        return unsafe made
    }

    /// Once for the process, and for good.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Makes the present or next `wait` return at once.
    func wake() {
        // It fails only where the wake-up pipe is full, and then the thread is being woken already.
        replacing.withLock { _ in
            _ = unsafe curl_multi_wakeup(handle)
        }
    }

    @unsafe func add(_ easy: UnsafeMutableRawPointer) -> CURLMcode {
        unsafe curl_multi_add_handle(handle, easy)
    }

    @unsafe func remove(_ easy: UnsafeMutableRawPointer) -> CURLMcode {
        unsafe curl_multi_remove_handle(handle, easy)
    }

    /// Does all that can be done without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return unsafe curl_multi_perform(handle, &running)
    }

    /// Waits for the network, libcurl's own timers, `wake`, or the time given.
    func wait(milliseconds: Int32) -> CURLMcode {
        unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil)
    }

    /// The next transfer that has ended: the context of its handle, and how.
    @unsafe func nextEnded() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
            var context: UnsafeMutableRawPointer?
            let code = unsafe refreshd_getinfo_pointer(
                message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            if code == CURLE_OK, let context = unsafe context {
                return unsafe (context, message.pointee.data.result)
            }
        }
        return nil
    }
}
