//! The master: runs untrusted agents against each other, grades them and holds tournaments.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
