//! Commands of `cargo` on the pages. They are not run, since that would build the programs again: what they name is
//! looked up in Cargo.toml, and what they would run is what was built for these tests.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use clap::{Args, Parser};
use serde::Deserialize;

/// Where a command of the shell ends, and what is read or written begins.
const OPERATORS: &[char] = &['<', '>', '|', '&', ';', '#'];

/// What Cargo.toml says.
#[derive(Deserialize)]
pub(crate) struct Package {
    default_run: String,
    features: BTreeMap<String, Vec<String>>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    #[serde(default, rename = "required-features")]
    required_features: Vec<String>,
}

/// The commands that pages have, with the options that they take here.
#[derive(Debug, Parser)]
#[command(name = "cargo")]
enum Cargo {
    Build {
        #[command(flatten)]
        flags: Flags,
        #[command(flatten)]
        selection: Selection,
    },
    Run {
        #[command(flatten)]
        flags: Flags,
        #[command(flatten)]
        selection: Selection,
    },
    Test {
        #[command(flatten)]
        flags: Flags,
        #[arg(long)]
        test: Option<String>,
        filter: Option<String>,
        /// What follows `--`.
        #[arg(last = true)]
        words: Vec<String>,
    },
    Doc {
        #[command(flatten)]
        flags: Flags,
        #[arg(long)]
        no_deps: bool,
        #[arg(long)]
        open: bool,
    },
}

#[derive(Args, Debug)]
struct Flags {
    #[arg(long)]
    release: bool,
    #[arg(long, value_delimiter = ',')]
    features: Vec<String>,
    #[arg(long)]
    all_features: bool,
    #[arg(long)]
    no_default_features: bool,
}

#[derive(Args, Debug)]
struct Selection {
    #[arg(long, conflicts_with = "example")]
    bin: Option<String>,
    #[arg(long)]
    example: Option<String>,
}

impl Package {
    /// Of this repository, as the real `cargo` reads it.
    pub(crate) fn of_this_repository() -> Package {
        #[derive(Deserialize)]
        struct Metadata {
            packages: [Package; 1],
        }
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
        let output = command.current_dir(super::pages::root()).output().expect("cargo");
        assert!(output.status.success(), "{output:?}");
        let Metadata { packages: [package] } = serde_json::from_slice(&output.stdout).expect("cargo's JSON");
        package
    }

    /// A command of the shell with what `cargo` would do in it replaced: by the program that it would run, or by `:`. A
    /// command that does not begin with `cargo` stays.
    ///
    /// # Errors
    /// Cargo.toml has no such program, feature or test, or the option is not one of those that pages use.
    pub(crate) fn without_cargo(&self, command: &str) -> Result<String, String> {
        if command.split_whitespace().next() != Some("cargo") {
            return Ok(command.to_owned());
        }
        let end = command.find(OPERATORS).unwrap_or(command.len());
        let (words, rest) = command.split_at(end);
        let mut words = words.trim_end();
        let mut arguments = "";
        // What follows `--` is the program's, as it stands.
        if let Some((before, behind)) = command.split_once(" -- ").filter(|(before, _)| before.len() < end) {
            let is_run = before.split_whitespace().nth(1) == Some("run");
            if is_run {
                (words, arguments) = (before, behind);
            }
        }
        let cargo = Cargo::try_parse_from(words.split_whitespace()).map_err(|error| error.to_string())?;
        Ok(match self.check(&cargo)? {
            Some(program) if arguments.is_empty() => format!("{program} {rest}"),
            Some(program) => format!("{program} {arguments}"),
            None => format!(": {rest}"),
        })
    }

    /// Checks a command; the program that it runs, if it runs one.
    fn check(&self, cargo: &Cargo) -> Result<Option<String>, String> {
        match cargo {
            Cargo::Build { flags, selection } => {
                if !flags.release {
                    return Err("pages run what is in target/release: expected --release".to_owned());
                }
                let features = self.enabled(flags)?;
                if let Some((kind, name)) = selection.named() {
                    self.target(kind, name, &features)?;
                }
                Ok(None)
            }
            Cargo::Run { flags, selection } => {
                let (kind, name) = selection.named().unwrap_or(("bin", &self.default_run));
                self.target(kind, name, &self.enabled(flags)?)?;
                Ok(Some(if kind == "bin" { name.to_owned() } else { format!("target/release/examples/{name}") }))
            }
            Cargo::Test { flags, test, filter, words } => {
                let features = self.enabled(flags)?;
                if let Some(name) = test {
                    self.target("test", name, &features)?;
                }
                let (options, filters): (Vec<&str>, Vec<&str>) =
                    filter.iter().chain(words).map(String::as_str).partition(|word| word.starts_with("--"));
                let tests = tests(options.contains(&"--ignored"));
                // `--test-threads 1`
                let named = filters.iter().filter(|filter| filter.parse::<usize>().is_err());
                let missing = named.into_iter().find(|filter| !tests.iter().any(|test| test.contains(**filter)));
                missing.map_or(Ok(None), |filter| Err(format!("no test in tests/ has {filter:?} in its name")))
            }
            Cargo::Doc { flags, .. } => self.enabled(flags).map(|_| None),
        }
    }

    /// All features of a flags.
    fn enabled<'a>(&'a self, flags: &'a Flags) -> Result<BTreeSet<&'a str>, String> {
        let mut wanted: Vec<&str> = flags.features.iter().map(String::as_str).collect();
        if let Some(unknown) = wanted.iter().find(|name| !self.features.contains_key(**name)) {
            return Err(format!("there is no feature {unknown:?}; there are {:?}", self.features.keys()));
        }
        if flags.all_features {
            wanted.extend(self.features.keys().map(String::as_str));
        } else if !flags.no_default_features {
            wanted.push("default");
        }
        let mut enabled = BTreeSet::new();
        while let Some(name) = wanted.pop() {
            if let Some(more) = self.features.get(name).filter(|_| enabled.insert(name)) {
                wanted.extend(more.iter().map(String::as_str));
            }
        }
        Ok(enabled)
    }

    fn target(&self, kind: &str, name: &str, features: &BTreeSet<&str>) -> Result<(), String> {
        let mut targets = self.targets.iter().filter(|target| target.kind.iter().any(|of| of == kind));
        let target =
            targets.find(|target| target.name == name).ok_or_else(|| format!("there is no {kind} {name:?}"))?;
        match target.required_features.iter().find(|feature| !features.contains(feature.as_str())) {
            Some(missing) => Err(format!("{name} needs --features {missing}")),
            None => Ok(()),
        }
    }
}

impl Selection {
    fn named(&self) -> Option<(&'static str, &str)> {
        let bin = self.bin.as_deref().map(|name| ("bin", name));
        bin.or(self.example.as_deref().map(|name| ("example", name)))
    }
}

/// The names of all tests in tests/, or of those that are ignored.
fn tests(ignored: bool) -> Vec<String> {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--list", "--format", "terse"]).args(ignored.then_some("--ignored"));
    let output = command.output().expect("this program runs");
    let lines = String::from_utf8(output.stdout).expect("text");
    lines.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

#[test]
fn commands_of_cargo_become_what_they_would_run() {
    let package = Package::of_this_repository();
    for (command, expected) in [
        ("cargo run --release -- samples/opening   # a turn", "homework samples/opening   # a turn"),
        ("cargo run --release --bin loa -- --dialect 2015 < x.in", "loa --dialect 2015 < x.in"),
        ("cargo run --bin loa6 < x.request", "loa6 < x.request"),
        ("cargo run --features master --bin master -- doctor > \"a -- b\"", "master doctor > \"a -- b\""),
        ("cargo run --example search -- loa \"x y\"", "target/release/examples/search loa \"x y\""),
        ("cargo build --release --features master,display   # both", ": # both"),
        ("cargo build --release && loa6", ": && loa6"),
        ("cargo doc --all-features --no-deps", ": "),
        ("cargo test --all-features", ": "),
        ("cargo test --test tests -- commands_of_cargo_become --nocapture --test-threads 1", ": "),
        ("master play a b", "master play a b"),
    ] {
        assert_eq!(package.without_cargo(command).as_deref(), Ok(expected));
    }
}

#[test]
fn wrong_commands_of_cargo_are_found() {
    let package = Package::of_this_repository();
    for (command, expected) in [
        ("cargo run --release --bin loa8", "there is no bin \"loa8\""),
        ("cargo run --release --example loa", "there is no example \"loa\""),
        ("cargo run --release --bin master -- doctor", "master needs --features master"),
        ("cargo run --no-default-features -- samples/opening", "homework needs --features programs"),
        ("cargo build", "expected --release"),
        ("cargo build --release --features browser", "there is no feature \"browser\""),
        ("cargo build --relase", "unexpected argument '--relase'"),
        ("cargo fuzz run input", "unrecognized subcommand 'fuzz'"),
        ("cargo test --test all", "there is no test \"all\""),
        ("cargo test -- --ignored commands_of_cargo_become", "no test in tests/ has \"commands_of_cargo_become\""),
        ("cargo test no_such_test", "no test in tests/ has \"no_such_test\""),
    ] {
        let error = package.without_cargo(command).expect_err(command);
        assert!(error.contains(expected), "{command}: {error}");
    }
}
