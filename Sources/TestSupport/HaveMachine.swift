import Glibc

/// Whether the tests have the machine to themselves, as `make test-heavy` and `make soak` see to it: some keep every
/// core busy for so long that those beside them would run into their time limits.
package let haveMachine = unsafe getenv("HEAVY") != nil || getenv("SOAK") != nil
