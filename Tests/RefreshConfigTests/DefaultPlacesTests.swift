import RefreshConfig
import Testing

@Suite("Default places") struct DefaultPlacesTests {
    @Test("root has the system's, whatever its environment says") func root() {
        let places = DefaultPlaces(uid: 0, environment: ["HOME": "/root", "XDG_STATE_HOME": "/x"])
        #expect(places.socket == "/run/refreshd/api.sock")
        #expect(places.state == "/var/lib/refreshd")
        #expect(places.config == "/etc/refreshd/plugins.yaml")
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let environment: [String: String]
        let socket: String
        let state: String
        let config: String
        var testDescription: String { name }
    }

    @Test(
        "a plain user has the XDG ones",
        arguments: [
            Case(
                name: "home alone", environment: ["HOME": "/home/u"], socket: "/tmp/refreshd-7/api.sock",
                state: "/home/u/.local/state/refreshd", config: "/home/u/.config/refreshd/plugins.yaml"),
            Case(
                name: "all set, with slashes at the end",
                environment: [
                    "HOME": "/home/u", "XDG_RUNTIME_DIR": "/run/user/7/", "XDG_STATE_HOME": "/s",
                    "XDG_CONFIG_HOME": "/c//",
                ], socket: "/run/user/7/refreshd/api.sock", state: "/s/refreshd",
                config: "/c/refreshd/plugins.yaml"),
            Case(
                name: "relative and empty ones do not count",
                environment: [
                    "HOME": "/h", "XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ".",
                ],
                socket: "/tmp/refreshd-7/api.sock", state: "/h/.local/state/refreshd",
                config: "/h/.config/refreshd/plugins.yaml"),
            Case(
                name: "no home at all", environment: [:], socket: "/tmp/refreshd-7/api.sock",
                state: "/tmp/refreshd-7/state", config: "/etc/refreshd/plugins.yaml"),
            Case(
                name: "a runtime folder too deep for a socket",
                environment: ["HOME": "/h", "XDG_RUNTIME_DIR": "/" + String(repeating: "r", count: 90)],
                socket: "/tmp/refreshd-7/api.sock", state: "/h/.local/state/refreshd",
                config: "/h/.config/refreshd/plugins.yaml"),
        ])
    func user(_ item: Case) {
        let places = DefaultPlaces(uid: 7, environment: item.environment)
        #expect(places.socket == item.socket)
        #expect(places.state == item.state)
        #expect(places.config == item.config)
    }
}
