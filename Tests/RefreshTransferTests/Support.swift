import CZlib
import RefreshCore
import TestSupport

@testable import RefreshTransfer

/// Limits in which nothing of these tests should run out of time.
let patient = TransferLimits()

func limits(_ change: (inout TransferLimits) -> Void) -> TransferLimits {
    var limits = TransferLimits()
    change(&limits)
    return limits
}

extension ScriptedUpstream {
    /// A request for `path` that is allowed to come here.
    func request(
        _ path: String = "/", headers: [(String, String)] = [], validators: Validators = Validators(),
        limits: TransferLimits = patient, allowPrivate: Bool = true, method: String = "GET",
        body: [UInt8]? = nil
    ) throws -> TransferRequest {
        TransferRequest(
            url: try WebURL(parsing: url(path)), headers: HTTPHeaders(headers), validators: validators,
            limits: limits, allowPrivate: allowPrivate, userAgent: "refreshd/test", method: method, body: body
        )
    }
}

extension TransferService {
    /// How a request that is expected to fail does so; nil where it does not.
    func failure(of request: TransferRequest) async -> TransferFailure? {
        do throws(TransferFailure) {
            _ = try await perform(request)
            return nil
        } catch {
            return error
        }
    }
}

extension TransferAnswer {
    var text: String { String(decoding: body.content, as: UTF8.self) }
}

/// `bytes` as one gzip member.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let ready = unsafe refreshd_deflate_init(&stream, 15 + 16)
    precondition(ready == Z_OK)
    defer { _ = unsafe deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
    let code = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(input.count)
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = UInt32(output.count)
            return unsafe deflate(&stream, Z_FINISH)
        }
    }
    precondition(code == Z_STREAM_END)
    return Array(output[..<Int(unsafe stream.total_out)])
}

func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }
