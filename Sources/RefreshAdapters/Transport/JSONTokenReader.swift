import RefreshCore
import RefreshFormats
import RefreshTransfer

/// Reads tokens out of JSON answers.
package struct JSONTokenReader: TokenReader {
    package init() {}

    package func text(at path: JSONPath, in body: PaddedBytes) -> String? {
        guard let document = try? JSONDocument(parsing: body), let value = document.scalar(at: path) else {
            return nil
        }
        switch value.kind {
        case .string, .number: return value.text
        case .bool, .null: return nil
        }
    }
}
