//! The master: runs untrusted agents against each other, grades them and holds tournaments.

use std::process::ExitCode;

use kingline::master::sandbox;

fn main() -> ExitCode {
    if let Some(code) = sandbox::launched() {
        return code;
    }
    ExitCode::SUCCESS
}
