import CMicroHTTPD
import RefreshStore

/// A document on its way to a client: libmicrohttpd asks for the next piece when the socket takes more, and gets it out
/// of the cache. So no more of it is in memory than one piece a client.
@safe final class HTTPDocument {
    private let document: StoredDocument
    private unowned let loop: APILoop

    private init(_ document: StoredDocument, of loop: APILoop) {
        self.document = document
        self.loop = loop
    }

    /// The answer with `head` and the bytes of `document`; nil where there is no memory for it.
    static func response(_ document: StoredDocument, head: Answer, of loop: APILoop) -> HTTPResponse? {
        guard document.bytes > 0 else { return HTTPResponse(head) }
        // libmicrohttpd gives the reference back when the answer has ended.
        let own = unsafe Unmanaged.passRetained(HTTPDocument(document, of: loop))
        let handle = unsafe MHD_create_response_from_callback(
            UInt64(document.bytes), StoredDocument.part, readDocument, own.toOpaque(), releaseDocument)
        guard unsafe handle != nil else {
            unsafe own.release()
            return nil
        }
        return unsafe HTTPResponse(adopting: handle, head: head)
    }

    /// Copies what stands at `position` into `buffer`; nil where the bytes are not there any more, since another document
    /// has taken their place for long: the client then sees that its answer was cut off.
    fileprivate func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        loop.hasWorked = true
        var count = 0
        do {
            let isThere = try unsafe loop.endpoints.reader.bytes(of: document, from: position) { bytes in
                count = min(bytes.count, buffer.count)
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            return isThere && count > 0 ? count : nil
        } catch {
            loop.log(.warning, "a document cannot be read: \(error.detail)")
            return nil
        }
    }
}

private func readDocument(
    context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
    // -2 ends the answer with an error (MHD_CONTENT_READER_END_WITH_ERROR).
    guard let context = unsafe context, let buffer = unsafe buffer else { return -2 }
    let document = unsafe Unmanaged<HTTPDocument>.fromOpaque(context).takeUnretainedValue()
    let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: room)
    return unsafe document.read(at: Int(position), into: target) ?? -2
}

private func releaseDocument(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPDocument>.fromOpaque(context).release()
}
