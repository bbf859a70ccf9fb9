//! Paths of the real programs, including those of other packages.
//!
//! Cargo builds a package's own programs before its tests, and passes their paths. Programs of other packages are in
//! the same folder; a `cargo build` in each test program brings them up to date.
//!
//! `KINGLINE_PROGRAMS` replaces the programs by those of another system, from the folder that it names.
//! `KINGLINE_RUNNER` names the program that runs them, such as Wine.

#![allow(dead_code, reason = "each test program uses only a part of this")]

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Once};

/// Program from any of the packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    Homework,
    Hub,
    Reference,
    Loa,
    Loa6,
    TestLoa,
    Review,
    Calibrate,
    Master,
}

impl Program {
    pub(crate) const ALL: [Program; 9] = [
        Program::Homework,
        Program::Hub,
        Program::Reference,
        Program::Loa,
        Program::Loa6,
        Program::TestLoa,
        Program::Review,
        Program::Calibrate,
        Program::Master,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Program::Homework => "homework",
            Program::Hub => "hub",
            Program::Reference => "reference",
            Program::Loa => "loa",
            Program::Loa6 => "loa6",
            Program::TestLoa => "test-loa",
            Program::Review => "review",
            Program::Calibrate => "calibrate",
            Program::Master => "master",
        }
    }

    /// Path of the program, which is built if necessary.
    pub(crate) fn path(self) -> &'static Path {
        static PATHS: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
            Program::ALL.map(|program| target().join(format!("{}{EXE_SUFFIX}", program.name()))).to_vec()
        });
        // The referee grades against the `reference` beside it.
        if self != Program::Master
            && let Some(path) = self.own()
        {
            return Path::new(path);
        }
        build();
        &PATHS[self as usize]
    }

    /// Command that runs the program: the one for another system, if the environment names a folder of such programs.
    pub(crate) fn command(self) -> Command {
        let Some(folder) = env::var_os("KINGLINE_PROGRAMS") else { return Command::new(self.path()) };
        let place = Path::new(&folder).join(self.name());
        let program = if place.is_file() { place } else { place.with_extension("exe") };
        assert!(program.is_file(), "{} is missing", program.display());
        let Some(runner) = env::var_os("KINGLINE_RUNNER") else { return Command::new(program) };
        let mut command = Command::new(runner);
        command.arg(program);
        command
    }

    /// Path of the program, if it belongs to the package under test.
    fn own(self) -> Option<&'static str> {
        match self {
            Program::Homework => option_env!("CARGO_BIN_EXE_homework"),
            Program::Hub => option_env!("CARGO_BIN_EXE_hub"),
            Program::Reference => option_env!("CARGO_BIN_EXE_reference"),
            Program::Loa => option_env!("CARGO_BIN_EXE_loa"),
            Program::Loa6 => option_env!("CARGO_BIN_EXE_loa6"),
            Program::TestLoa => option_env!("CARGO_BIN_EXE_test-loa"),
            Program::Review => option_env!("CARGO_BIN_EXE_review"),
            Program::Calibrate => option_env!("CARGO_BIN_EXE_calibrate"),
            Program::Master => option_env!("CARGO_BIN_EXE_master"),
        }
    }
}

/// Folder of the built programs: the parent of `deps`, which contains this test program.
fn target() -> PathBuf {
    let tests = env::current_exe().expect("this program");
    tests.parent().and_then(Path::parent).expect("a folder of what was built").to_path_buf()
}

/// Builds all programs, once in each test program. Cargo finds out which ones are missing or old, and holds a lock while it
/// builds.
fn build() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(root()).args(["build", "--quiet", "--locked", "--bins"]);
        // The packages and features of this test run, so that nothing is built twice.
        if kingline_players::HAS_DISPLAY {
            cargo.args(["--workspace", "--all-features"]);
        }
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        cargo.arg("--target-dir").arg(target().parent().expect("a target folder"));
        assert!(cargo.status().expect("cargo").success(), "{cargo:?} failed");
    });
}

/// Path of a program in samples/library; builds it if necessary.
pub(crate) fn library_sample(name: &str) -> PathBuf {
    build();
    target().join(name)
}

/// Path of an example program, which only tests need; Cargo builds it with the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let path = target().join("examples").join(name);
    assert!(path.exists(), "{} is missing: run `cargo build -p kingline-master --example {name}`", path.display());
    path
}

/// Python with these modules.
///
/// # Errors
/// This machine has none; the reason.
pub(crate) fn python_with(modules: &str) -> Result<Command, String> {
    let missing = || format!("no Python with {modules} here");
    let found = Command::new("python3").args(["-c", &format!("import {modules}")]).output();
    found.is_ok_and(|found| found.status.success()).then(|| Command::new("python3")).ok_or_else(missing)
}

/// Sorted paths that end so, in a folder with a path from the root of the repository.
pub(crate) fn paths_in(folder: impl AsRef<Path>, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    paths.sort();
    paths
}

pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("the top of a checkout")
}
