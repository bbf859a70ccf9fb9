//! `master`: runs untrusted agents against each other, judges, grades, holds tournaments.

use std::process::ExitCode;

use kingline::master::{command, sandbox};

fn main() -> ExitCode {
    // A launcher of an agent is this program too.
    sandbox::launched().unwrap_or_else(command::run)
}
