//! Runs the real programs, each in a temporary directory, with what nearly every test of them needs.

#![allow(dead_code, unused_imports, reason = "each test program uses only a part of this")]

use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(crate) use super::programs::{Program, paths_in, root};
pub(crate) use super::skipped::skipped;

/// Time after which a program counts as hung: many times what any test needs, even on a busy machine.
const HANG_LIMIT: Duration = Duration::from_secs(900);

/// Words of a command line: a text that is split at blanks, or the words themselves.
pub(crate) trait Words {
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&str> {
        self.as_str().words()
    }
}

impl<T: AsRef<str>> Words for [T] {
    fn words(&self) -> Vec<&str> {
        self.iter().map(AsRef::as_ref).collect()
    }
}

impl<T: AsRef<str>, const N: usize> Words for [T; N] {
    fn words(&self) -> Vec<&str> {
        self.as_slice().words()
    }
}

impl<T: AsRef<str>> Words for Vec<T> {
    fn words(&self) -> Vec<&str> {
        self.as_slice().words()
    }
}

/// Temporary directory to run programs in; deleted when dropped.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Dir {
        Dir(tempfile::tempdir().expect("a temporary directory"))
    }

    /// Makes a directory with this input.txt.
    pub(crate) fn with_input(text: impl AsRef<[u8]>) -> Dir {
        Dir::new().with("input.txt", text)
    }

    /// Adds a file.
    pub(crate) fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Dir {
        self.write(name, bytes);
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and makes the folders above it.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.place(name), bytes).expect(name);
    }

    /// Copies a file here, and makes the folders above it.
    pub(crate) fn copy(&self, from: impl AsRef<Path>, name: &str) {
        fs::copy(from, self.place(name)).expect(name);
    }

    /// Path of a new file, whose folder is made.
    fn place(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect(name);
        path
    }

    pub(crate) fn write_program(&self, name: &str, text: &str) {
        self.write(name, text);
        self.set_mode(name, 0o755);
    }

    /// Makes a folder, and those above it.
    pub(crate) fn make_dir(&self, name: &str) {
        fs::create_dir_all(self.path(name)).expect(name);
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).expect(from);
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, name: &str) {
        std::os::unix::fs::symlink(target, self.place(name)).expect(name);
    }

    pub(crate) fn set_mode(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).expect(name);
    }

    /// Makes a named pipe; opening it blocks forever.
    pub(crate) fn make_pipe(&self, name: &str) {
        let made = Command::new("mkfifo").arg(self.path(name)).status().expect("mkfifo");
        assert!(made.success(), "{name}");
    }

    /// Deletes a folder and everything in it.
    pub(crate) fn delete_dir(&self, name: &str) {
        fs::remove_dir_all(self.path(name)).expect(name);
    }

    /// Deletes a file, if it exists.
    pub(crate) fn delete(&self, name: &str) {
        if self.path(name).exists() {
            fs::remove_file(self.path(name)).expect(name);
        }
    }

    /// Text of a file; `None` if there is no such file.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        self.path(name).is_file().then(|| fs::read_to_string(self.path(name)).expect(name))
    }

    /// Bytes of a file, which must exist.
    #[track_caller]
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Text of a file, which must exist.
    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        self.read(name).unwrap_or_else(|| panic!("no {name}: {:?}", self.names()))
    }

    /// Sorted names of all entries.
    pub(crate) fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// Sorted names of all entries of a folder.
    #[track_caller]
    pub(crate) fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect(folder);
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs a program here, without arguments.
    pub(crate) fn run(&self, program: Program) -> Ran {
        self.run_command(&mut program.command())
    }

    /// Runs a shell command here, in which `"$0"` is the program, and where writes past this file size, in units of 512
    /// bytes, fail as on a full disk: the signal that they would raise is ignored.
    pub(crate) fn run_on_full_disk(&self, units: usize, line: &str, program: Program) -> Ran {
        self.run_in_shell(&format!("trap '' XFSZ; ulimit -f {units}; {line}"), program)
    }

    /// Runs a shell command here, in which `"$0"` is the program.
    pub(crate) fn run_in_shell(&self, line: &str, program: Program) -> Ran {
        // Output is captured by pipes, since the command may limit the size of files.
        self.wait_for(self.spawn(Command::new("sh").arg("-c").arg(line).arg(program.path())))
    }

    /// Runs a program here with arguments, without input; it may print any amount.
    pub(crate) fn run_with_args(&self, program: Program, arguments: &(impl Words + ?Sized)) -> Ran {
        self.run_command(program.command().args(arguments.words()))
    }

    pub(crate) fn calibrate(&self, words: &(impl Words + ?Sized)) -> Ran {
        self.run_with_args(Program::Calibrate, words)
    }

    pub(crate) fn review(&self, words: &(impl Words + ?Sized)) -> Ran {
        self.run_with_args(Program::Review, words)
    }

    /// Runs a program here with arguments and this standard input; it may print any amount.
    pub(crate) fn run_with_input(
        &self,
        program: Program,
        arguments: &(impl Words + ?Sized),
        input: impl AsRef<[u8]>,
    ) -> Ran {
        self.run_command_with_input(program.command().args(arguments.words()), input)
    }

    /// Runs any command here with this standard input; it may print any amount.
    pub(crate) fn run_command_with_input(&self, command: &mut Command, input: impl AsRef<[u8]>) -> Ran {
        self.run_captured(command, Stdio::from(file_with(input.as_ref())))
    }

    /// Starts any command here, and captures its output by pipes.
    pub(crate) fn spawn(&self, command: &mut Command) -> Child {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.current_dir(self.0.path()).spawn().expect("a program that starts")
    }

    /// Runs any command here to its end, without input; it may print any amount.
    pub(crate) fn run_command(&self, command: &mut Command) -> Ran {
        self.run_captured(command, Stdio::null())
    }

    fn run_captured(&self, command: &mut Command, input: Stdio) -> Ran {
        let [stdout, stderr] = [file_with(b""), file_with(b"")];
        let stream = |file: &File| Stdio::from(file.try_clone().expect("a stream"));
        command.stdin(input).stdout(stream(&stdout)).stderr(stream(&stderr));
        let ran = self.wait_for(command.current_dir(self.0.path()).spawn().expect("a program that starts"));
        Ran { command: format!("{command:?}"), stdout: text_of(stdout), stderr: text_of(stderr), ..ran }
    }

    /// Starts any command here, and waits until `is_time`, or until it ends.
    pub(crate) fn start_until(&self, command: &mut Command, mut is_time: impl FnMut() -> bool) -> Child {
        let mut child = self.spawn(command);
        let start = Instant::now();
        while !is_time() && child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < 2 * HANG_LIMIT, "nothing happens: {:?}", self.names());
            std::thread::sleep(Duration::from_millis(1));
        }
        child
    }

    /// Kills any command here as soon as `is_time`.
    pub(crate) fn kill_when(&self, command: &mut Command, is_time: impl FnMut() -> bool) {
        let mut child = self.start_until(command, is_time);
        child.kill().and_then(|()| child.wait()).expect("a child to kill");
    }

    /// Runs a program here, and kills it where it would write more than this into a file, in units of 512 bytes. Unlike a
    /// kill from outside, this comes at the same place on a busy machine.
    pub(crate) fn kill_at(&self, program: Program, arguments: &str, units: usize) {
        let ran = self.run_in_shell(&format!("ulimit -c 0; ulimit -f {units}; exec \"$0\" {arguments}"), program);
        assert_eq!(ran.code, None, "a signal ends it: {ran:#?}");
    }

    /// Waits for a child. If it hangs, it is killed and the test fails.
    pub(crate) fn wait_for(&self, mut child: Child) -> Ran {
        let start = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            if start.elapsed() > HANG_LIMIT {
                child.kill().expect("a child to kill");
                panic!("still running after {HANG_LIMIT:?}: {:?}", child.wait_with_output());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let Output { status, stdout, stderr } = child.wait_with_output().expect("a child's output");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (stdout, stderr, answer) = (text(stdout), text(stderr), self.read("output.txt"));
        Ran { command: String::new(), code: status.code(), stdout, stderr, answer }
    }
}

pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() { copy_folder(&path, &target) } else { fs::copy(&path, target).map(drop).expect("a copy") }
    }
}

/// Unnamed file with this content, positioned at its start.
fn file_with(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(bytes).expect("a file that can be written");
    file.rewind().expect("a file");
    file
}

fn text_of(mut file: File) -> String {
    let mut bytes = Vec::new();
    file.rewind().expect("a file");
    file.read_to_end(&mut bytes).expect("a file that can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// The command line, empty if the command was started earlier.
    pub(crate) command: String,
    /// `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// output.txt after the run, if there is one.
    pub(crate) answer: Option<String>,
}

impl Ran {
    #[track_caller]
    pub(crate) fn exits_with(&self, code: i32) -> &Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn stdout_starts_with(&self, text: &str) -> &Ran {
        assert!(self.stdout.starts_with(text), "standard output does not start with \"{text}\": {self:#?}");
        self
    }

    /// Asserts that standard output contains each of these texts.
    #[track_caller]
    pub(crate) fn stdout_contains(&self, all: &[&str]) -> &Ran {
        for text in all {
            assert!(self.stdout.contains(text), "no \"{text}\" on standard output: {self:#?}");
        }
        self
    }

    /// Asserts that standard error contains each of these texts.
    #[track_caller]
    pub(crate) fn stderr_contains(&self, all: &[&str]) -> &Ran {
        for text in all {
            assert!(self.stderr.contains(text), "no \"{text}\" on standard error: {self:#?}");
        }
        self
    }

    /// Asserts that standard error contains none of these texts.
    #[track_caller]
    pub(crate) fn stderr_lacks(&self, all: &[&str]) -> &Ran {
        for text in all {
            assert!(!self.stderr.contains(text), "\"{text}\" on standard error: {self:#?}");
        }
        self
    }

    /// Returns output.txt after the run, which must exist.
    #[track_caller]
    pub(crate) fn answer(&self) -> &str {
        self.answer.as_deref().unwrap_or_else(|| panic!("no output.txt: {self:#?}"))
    }
}
