// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where it counts (CI and `make check`), and only warnings while one is typing.
let strict = Context.environment["CI"] != nil

let swift: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .strictMemorySafety()]
    + (strict ? [.treatAllWarnings(as: .error)] : [])

/// A product module. What it may import is what stands in `on`, and nothing else: the arrows point down.
func module(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swift)
}

func program(_ name: String, on dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: swift)
}

/// The tests of a module; `files` lie among them and are read at run time.
func tests(
    of name: String, on dependencies: [Target.Dependency] = [], without files: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        exclude: files,
        swiftSettings: swift)
}

/// `TESTS_OF=RefreshCore swift test` builds and runs the tests of one module, for the impatient; several are separated
/// by commas.
let testsOf = Context.environment["TESTS_OF"]?.split(separator: ",").map { "\($0)Tests" }

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let targets: [Target] = [
    // C libraries of Debian, each touched by one module.
    .systemLibrary(name: "CLinux"),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    library("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    library("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    library("CPCRE2", pkgConfig: "libpcre2-8", apt: "libpcre2-dev"),
    library("CUCharDet", pkgConfig: "uchardet", apt: "libuchardet-dev"),
    .target(name: "CCCTZ", linkerSettings: [.linkedLibrary("cctz")]),
    .target(
        name: "CSimdJSON", cxxSettings: [.define("SIMDJSON_EXCEPTIONS", to: "0")],
        linkerSettings: [.linkedLibrary("simdjson")]),

    // Level 0: values and decisions, no I/O, no C.
    module("RefreshCore", on: []),

    // Level 1: the outside world's languages.
    module("RefreshConfig", on: ["RefreshCore", "CYAML", "CCCTZ", "CLinux"]),
    module(
        "RefreshFormats",
        on: ["RefreshCore", "CXML2", "CSimdJSON", "CXXHash", "CPCRE2", "CUCharDet"]),
    module("RefreshTransfer", on: ["RefreshCore", "CCurl", "CZlib", "CLinux"]),

    // Level 2: what a feed's answer becomes, and where it is kept.
    module("RefreshAdapters", on: ["RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshTransfer"]),
    module("RefreshStore", on: ["RefreshCore", "RefreshFormats", "CSQLite", "CLinux"]),

    // Level 3: when things happen.
    module(
        "RefreshEngine",
        on: [
            "RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshTransfer", "RefreshAdapters",
            "RefreshStore", "CLinux",
        ]),

    // Level 4: the socket, from both of its ends.
    module(
        "RefreshAPI",
        on: [
            "RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshStore", "RefreshEngine", "CMicroHTTPD",
            "CLinux",
        ]),
    module(
        "RefreshClient",
        on: [
            "RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshTransfer", "RefreshAdapters",
            "RefreshStore", "CLinux",
        ]),

    // Level 5: the programs.
    program(
        "refreshd",
        on: [
            "RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshTransfer", "RefreshAdapters",
            "RefreshStore", "RefreshEngine", "RefreshAPI", "CLinux",
        ]),
    program(
        "refreshctl", on: ["RefreshCore", "RefreshConfig", "RefreshFormats", "RefreshClient", "CLinux"]),
    // A made-up upstream to try it with; no part of the daemon.
    module("DemoUpstream", on: ["RefreshCore"]),
    program("demo-upstream", on: ["RefreshCore", "DemoUpstream", "CLinux"]),

    // Tests.
    .target(name: "CFaultyVFS", dependencies: ["CSQLite"], path: "Tests/CFaultyVFS"),
    .target(name: "TestSupport", dependencies: ["RefreshCore", "CLinux"], swiftSettings: swift),
    .target(
        name: "Fuzzing", dependencies: ["RefreshCore", "RefreshFormats"], path: "Tests/Fuzzing",
        swiftSettings: swift),
    tests(of: "Fuzzing", without: ["Inputs"]),
    tests(of: "RefreshCore"),
    tests(of: "RefreshConfig", without: ["Mistakes", "Good"]),
    tests(of: "RefreshFormats"),
    tests(of: "RefreshTransfer", on: ["CZlib"]),
    tests(of: "RefreshAdapters"),
    tests(of: "RefreshStore", on: ["CFaultyVFS"]),
    tests(of: "RefreshEngine"),
    tests(of: "RefreshAPI"),
    tests(of: "RefreshClient"),
    tests(of: "DemoUpstream"),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "TestSupport", "RefreshCore", "RefreshConfig", "RefreshFormats", "refreshd", "refreshctl",
            "demo-upstream",
        ],
        swiftSettings: swift),
]

/// `make fuzz` alone builds this: the fuzzer's runtime brings `main`.
let fuzzProgram: [Target] = [
    .executableTarget(name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/FuzzProgram")
]
let isFuzzing = Context.environment["FUZZ"] != nil

let package = Package(
    name: "refreshd",
    targets: (targets + (isFuzzing ? fuzzProgram : [])).filter {
        $0.type != .test || testsOf?.contains($0.name) ?? true
    },
    cxxLanguageStandard: .cxx17
)
