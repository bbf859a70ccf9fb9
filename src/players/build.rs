//! Chooses how `homework` is linked.
//!
//! `homework` starts once a turn, and its start is most of what a short turn costs. Linked as usual, the dynamic linker
//! loads two libraries, relocates 2,600 pointers and looks up 80 names first. Three ways are tried with a program that
//! does nothing, since each needs something that a system may lack; the first one that works is taken.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Libraries that Rust names to the linker, and where their static forms are.
const STATIC_LIBRARIES: [(&str, &str); 7] = [
    ("gcc_s", UNWINDER),
    ("c", "GROUP(-l:libc.a -l:libgcc_eh.a -l:libgcc.a)"),
    ("m", "INPUT(-l:libm.a)"),
    ("dl", "INPUT(-l:libdl.a)"),
    ("pthread", "INPUT(-l:libpthread.a)"),
    ("rt", "INPUT(-l:librt.a)"),
    ("util", "INPUT(-l:libutil.a)"),
];
/// The part of the compiler's library that every C compiler brings in static form as well.
const UNWINDER: &str = "GROUP(-l:libgcc_eh.a -l:libgcc.a)";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let is_cross = variable("TARGET") != variable("HOST");
    let is_glibc = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    let is_static = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if is_cross || !is_glibc || is_static {
        return;
    }
    let folder = variable("OUT_DIR");
    let ways: [(&str, &[&str], &[_]); 2] =
        [("static", &["-static", "-no-pie"], &STATIC_LIBRARIES), ("unwinder", &["-no-pie"], &STATIC_LIBRARIES[..1])];
    for (name, options, libraries) in ways {
        let libraries_at = format!("{folder}/{name}");
        let arguments: Vec<String> =
            options.iter().map(ToString::to_string).chain([format!("-L{libraries_at}")]).collect();
        if write_scripts(Path::new(&libraries_at), libraries).is_ok() && links(&folder, &arguments) {
            arguments.iter().for_each(|argument| println!("cargo::rustc-link-arg-bin=homework={argument}"));
            return;
        }
    }
}

/// Writes linker scripts that stand for shared libraries.
fn write_scripts(folder: &Path, libraries: &[(&str, &str)]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    libraries.iter().try_for_each(|(name, script)| fs::write(folder.join(format!("lib{name}.so")), script))
}

/// Returns true if a program linked with these arguments runs.
fn links(folder: &str, arguments: &[String]) -> bool {
    let [source, program] = ["link.rs", "link"].map(|name| format!("{folder}/{name}"));
    if fs::write(&source, "fn main() { println!(\"{}\", (std::env::args().count() as f64).exp().ln()); }").is_err() {
        return false;
    }
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args([source.as_str(), "-o", &program, "-Cpanic=abort"]);
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.args(env::var_os("RUSTC_LINKER").map(|linker| format!("-Clinker={}", linker.display())));
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    succeeds(&mut rustc) && succeeds(&mut Command::new(&program))
}
