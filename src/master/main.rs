//! `master`: runs untrusted agents against each other, judges and grades them, and holds tournaments.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    // This program also serves as the launcher of agents.
    kingline_master::sandbox::launched().unwrap_or_else(kingline_master::command::run)
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("master: its sandbox needs Linux\nhelp: run it on a Linux machine, in a virtual machine or under WSL 2");
    ExitCode::FAILURE
}
