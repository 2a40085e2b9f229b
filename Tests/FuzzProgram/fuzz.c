// The fuzzer's runtime brings `main`, and Tests/Fuzzing/Entry.swift what that calls. The package manager gives a `main`
// of its own to programs whose own module is in Swift; so this one is in C.
