import Glibc

/// The variables of the environment that refreshctl looks at.
package struct Environment: Sendable {
    let variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    /// Those of the process.
    package static func current() -> Environment {
        let names = [
            "REFRESHD_SOCKET", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME",
            "NO_COLOR", "TERM", "COLUMNS",
        ]
        var variables: [String: String] = [:]
        for name in names {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return Environment(variables)
    }

    /// A variable that is set and not empty.
    package subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// How to show rows on an output: `terminalColumns` is nil for a file or pipe.
    package func display(terminalColumns: Int?) -> Display {
        guard let terminalColumns else { return .plain }
        let told = self["COLUMNS"].flatMap { Int($0) } ?? 80
        let columns = terminalColumns > 0 ? terminalColumns : told
        return .terminal(columns: max(20, columns), colour: hasColour)
    }

    /// Whether a terminal may be given colours.
    var hasColour: Bool {
        // https://no-color.org: any value but the empty one.
        self["NO_COLOR"] == nil && self["TERM"] != "dumb"
    }
}
