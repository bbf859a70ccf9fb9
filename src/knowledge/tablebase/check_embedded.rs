//! Are the embedded tables those that belong there? A build script, run where they have changed: otherwise the build
//! fails. Without the feature `tables` nothing is read.

use std::process::ExitCode;

#[path = "../checksum.rs"]
#[expect(unreachable_pub, reason = "it is a file of the library too")]
mod checksum;

const FILE: &str = "src/knowledge/tablebase/embedded.tables";
/// As printed by the command that makes the file; see `embedded`.
const CHECKSUM: u64 = 0xf36e_1ce5_0060_73cb;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=src/knowledge/tablebase/check_embedded.rs");
    if std::env::var_os("CARGO_FEATURE_TABLES").is_none() {
        return ExitCode::SUCCESS;
    }
    for read in [FILE, "src/knowledge/checksum.rs"] {
        println!("cargo::rerun-if-changed={read}");
    }
    match std::fs::read(FILE).map(|bytes| checksum::checksum(&bytes)) {
        Ok(CHECKSUM) => return ExitCode::SUCCESS,
        Ok(found) => println!("cargo::error={FILE} has the checksum {found:016x}, expected {CHECKSUM:016x}"),
        Err(error) => println!("cargo::error=cannot read {FILE}: {error}"),
    }
    println!(
        "cargo::error=restore it from where the sources came from; it is what `calibrate tables --pieces 5` makes"
    );
    ExitCode::FAILURE
}
