import Glibc
import RefreshClient

exit(Program.main(CommandLine.arguments.dropFirst()))
