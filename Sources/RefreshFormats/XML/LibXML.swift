import CXML2
import Synchronization

/// libxml2, made ready for this process.
enum LibXML {
    /// libxml2's tables, and a loader that refuses, should any document ever ask for another.
    static let prepared: Void = {
        xmlInitParser()
        unsafe xmlSetExternalEntityLoader(refuseExternalEntity)
    }()

    /// How often a document was refused another file or address; every one of them is a parser's mistake.
    static let refusals = Atomic(0)
}

private func refuseExternalEntity(
    _ url: UnsafePointer<CChar>?, _ id: UnsafePointer<CChar>?, _ context: xmlParserCtxtPtr?
) -> xmlParserInputPtr? {
    LibXML.refusals.add(1, ordering: .relaxed)
    return nil
}
