/// What this is and which one.
package enum Version {
    /// Semantic versioning 2.0.0.
    package static let text = "0.1.0"
}
