//! Fails the build unless the embedded endgame tables are the expected ones. Without the feature `tables` it reads nothing.

use std::process::ExitCode;

#[path = "knowledge/checksum.rs"]
#[expect(unreachable_pub, reason = "the file also belongs to the library")]
mod checksum;

const FILE: &str = "knowledge/tablebase/embedded.tables";
/// Checksum of the file, printed by the command that makes it; see `embedded`.
const CHECKSUM: u64 = 0x30a0_4e1b_0417_bb3c;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_TABLES").is_none() {
        return ExitCode::SUCCESS;
    }
    for read in [FILE, "knowledge/checksum.rs"] {
        println!("cargo::rerun-if-changed={read}");
    }
    match std::fs::read(FILE).map(|bytes| checksum::checksum(&bytes)) {
        Ok(CHECKSUM) => return ExitCode::SUCCESS,
        Ok(found) => println!("cargo::error={FILE} has the checksum {found:016x}, expected {CHECKSUM:016x}"),
        Err(error) => println!("cargo::error=cannot read {FILE}: {error}"),
    }
    println!("cargo::error=help: restore it from the sources, or make it with `calibrate tables --pieces 5`");
    ExitCode::FAILURE
}
