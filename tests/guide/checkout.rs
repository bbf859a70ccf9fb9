//! A folder that looks to commands as a checkout does to a reader who has built the programs.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, io};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::pages::root;
use crate::programs::names::NAMED;
use crate::support::command::{Dir, Program, example};

/// What a checkout has, as far as pages speak of it.
const ENTRIES: &[&str] = &["Cargo.toml", ".cargo", "README.md", "calibrate", "samples", "src", "tests"];
/// What tools leave in a checkout.
const LEFTOVERS: &[&str] = &["target", "corpus", "artifacts"];
const EXAMPLES: &[&str] = &["search", "perft", "own_game"];
/// In place of the real one, which would build everything anew.
const CARGO: &str = "#!/bin/sh\necho 'this test knows cargo at the start of a command alone' >&2\nexit 1\n";
/// The agents that pages take for the reader's own: a folder, and the program that is `homework` there.
const AGENTS: &[(&str, Program)] = &[
    ("mine", Program::Homework),
    ("theirs", Program::Reference),
    ("agents/ada", Program::Reference),
    ("agents/ben", Program::Reference),
    ("agents/cleo", Program::Reference),
];
/// Submissions: files, and where they are in the repository.
const SUBMISSIONS: &[(&str, &str)] = &[
    ("class/ada/homework.py", "tests/honest/python/plain.py"),
    ("class/ada/moves.py", "tests/honest/python/moves.py"),
    ("class/ben/homework.c", "tests/honest/c/plain.c"),
    ("class/ben/moves.h", "tests/honest/c/moves.h"),
    // It does not compile: its header is missing.
    ("class/cleo/homework.c", "tests/honest/c/plain.c"),
];

/// A command that takes longer hangs.
const WHOLE: Duration = Duration::from_secs(120);
/// A long command runs for this time.
const GLIMPSE: Duration = Duration::from_secs(3);
/// A stopped one has ended after it.
const STOPPING: Duration = Duration::from_secs(30);

/// How much of a command is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    ToTheEnd,
    /// The first seconds of it; then it is stopped, by SIGTERM: what was started in the background ignores Ctrl-C.
    FirstSeconds,
}

/// How a command went.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
    /// By this test, as it was meant to be.
    Stopped,
    /// It took too long.
    Hung(&'static str),
}

/// The folder; gone when dropped.
pub(crate) struct Checkout(Dir);

impl Checkout {
    /// With the reader's own folders that these commands name.
    pub(crate) fn new<'a>(commands: impl Iterator<Item = &'a str>) -> Checkout {
        let words: Vec<&str> = commands.flat_map(str::split_whitespace).collect();
        let is_named = |folder: &str| words.iter().any(|word| word.split('/').next() == Some(folder));
        let dir = Dir::new();
        for entry in ENTRIES.iter().filter(|entry| root().join(entry).exists()) {
            copy(&root().join(entry), &dir.path(entry)).expect(entry);
        }
        for folder in ["home", "stand-ins", "target", "target/release", "target/release/examples"] {
            dir.make_dir(folder);
        }
        for (program, name) in NAMED {
            symlink(program.path(), dir.path("target/release").join(name)).expect(name);
        }
        for name in EXAMPLES {
            symlink(example(name), dir.path("target/release/examples").join(name)).expect(name);
        }
        dir.write("stand-ins/cargo", CARGO);
        fs::set_permissions(dir.path("stand-ins/cargo"), Permissions::from_mode(0o755)).expect("a program");
        let checkout = Checkout(dir);
        for (folder, program) in AGENTS {
            if folder.split('/').next().is_some_and(is_named) {
                checkout.add(&format!("{folder}/homework"), program.path());
            }
        }
        if is_named("class") {
            SUBMISSIONS.iter().for_each(|(name, source)| checkout.add(name, &root().join(source)));
        }
        checkout
    }

    /// Puts a copy of a file there, unless there is one of that name.
    pub(crate) fn add(&self, name: &str, source: &Path) {
        let path = self.0.path(name);
        if !path.exists() {
            fs::create_dir_all(path.parent().expect("a file's folder")).expect(name);
            fs::copy(source, path).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        }
    }

    /// Runs a command of the shell.
    pub(crate) fn run(&self, command: &str, extent: Extent) -> Run {
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.0.path("home").join(name));
        let file = |path| Stdio::from(File::create(path).expect("a file"));
        let mut child = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.0.path(""))
            .env("PATH", self.search_path())
            .env("HOME", self.0.path("home"))
            .stdin(Stdio::null())
            .stdout(file(&stdout))
            .stderr(file(&stderr))
            // So that all of it can be stopped.
            .process_group(0)
            .spawn()
            .expect("sh");
        let end = wait(&mut child, extent);
        let text = |path| String::from_utf8_lossy(&fs::read(path).expect("output")).into_owned();
        Run { end, stdout: text(&stdout), stderr: text(&stderr) }
    }

    /// First no `cargo`, then our programs, then all others.
    fn search_path(&self) -> std::ffi::OsString {
        let own = ["stand-ins", "target/release"].map(|name| self.0.path(name));
        let path = env::var_os("PATH").unwrap_or_default();
        env::join_paths(own.into_iter().chain(env::split_paths(&path))).expect("folders without colons")
    }
}

/// Waits for the end of a command, and ends it when its time is over.
fn wait(child: &mut Child, extent: Extent) -> End {
    let group = Pid::from_raw(i32::try_from(child.id()).expect("a process id"));
    let patience = if extent == Extent::ToTheEnd { WHOLE } else { GLIMPSE };
    let end = match ended_within(child, patience) {
        Some(status) => status.code().map_or_else(|| End::Signal(status.signal().unwrap_or(0)), End::Exit),
        None if extent == Extent::ToTheEnd => End::Hung("it was still running after two minutes"),
        None => {
            killpg(group, Signal::SIGTERM).expect("a command to stop");
            ended_within(child, STOPPING).map_or(End::Hung("SIGTERM did not stop it"), |_| End::Stopped)
        }
    };
    // What it has left behind, or all of it. Mostly nobody is there any more.
    let _ = killpg(group, Signal::SIGKILL);
    child.wait().expect("a child");
    end
}

fn ended_within(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait().expect("a child") {
            None if start.elapsed() < limit => sleep(Duration::from_millis(5)),
            status => return status,
        }
    }
}

/// Copies a file, or a folder without what tools leave in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if LEFTOVERS.iter().all(|leftover| name != *leftover) {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}
