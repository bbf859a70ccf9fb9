//! Entry point of `calibrate`; `lib.rs` has its commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    kingline_calibrate::run()
}
