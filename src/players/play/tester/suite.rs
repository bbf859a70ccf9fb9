//! The tests in a run: their files and editions, and a check that a run overwrites no file that it reads.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser};

use super::script::{Replacement, is_of_2015, minutes};
use crate::files::{FileId, read_bytes};
use crate::help::GuidePage;
use crate::protocol::commands::Edition;

/// Extension of the expected output of a 2020 script (§1).
pub(super) const STD: &str = "std";
/// Extension of the compared output of a 2020 script (§1), or of the expected output of a 2015 script (§2).
pub(super) const OUT: &str = "out";
/// Extension of the standard error of a 2020 program, and how the program ended (§1).
pub(super) const ERR: &str = "err";
/// Extension of output that can become the expected output (§2).
pub(super) const OUT_TMP: &str = "out.tmp";

#[derive(Debug)]
pub(super) struct Test {
    pub(super) name: String,
    pub(super) edition: Edition,
    /// Paths of its scripts, readable or not.
    paths: Vec<PathBuf>,
    /// One 2015 script, or one or two 2020 scripts; or the reason why they cannot be used.
    pub(super) files: Result<Vec<ScriptFile>, String>,
}

#[derive(Debug)]
pub(super) struct ScriptFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

/// Tests in these files, then the pairs. A `T-2.in` belongs to the test of `T-1.in`.
pub(super) fn tests(arguments: &TestLoaArguments) -> Vec<Test> {
    let seconds: Vec<PathBuf> = arguments.files.iter().filter_map(|path| second_of(path)).collect();
    let firsts = arguments.files.iter().filter(|path| !seconds.contains(path));
    let pairs = arguments.pair.chunks_exact(2).map(|pair| Test::new(pair.to_vec(), read_pair));
    firsts
        .map(|path| Test::new([path.clone()].into_iter().chain(second_of(path)).collect(), read_named))
        .chain(pairs)
        .collect()
}

/// Path of `T-2.in` beside `T-1.in`, if it exists and `T-1.in` is not a 2015 script.
fn second_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix("-1.in")?;
    let second = path.with_file_name(format!("{name}-2.in"));
    (second.exists() && !read_script(path).is_ok_and(|file| is_of_2015(&file.bytes))).then_some(second)
}

fn read_named(paths: &[PathBuf]) -> Result<Vec<ScriptFile>, String> {
    match paths.iter().find(|path| path.extension() != Some(OsStr::new("in"))) {
        Some(path) => Err(format!("cannot read {}: expected a script FILE.in", path.display())),
        None => paths.iter().map(|path| read_script(path)).collect(),
    }
}

fn read_pair(paths: &[PathBuf]) -> Result<Vec<ScriptFile>, String> {
    let files: Vec<ScriptFile> = paths.iter().map(|path| read_script(path)).collect::<Result<_, _>>()?;
    match files.iter().find(|file| is_of_2015(&file.bytes)) {
        Some(file) => {
            let expected = "expected one of 2020, since a script of 2015 has the lines of both programs";
            Err(format!("{}: found a script of 2015, {expected}", file.path.display()))
        }
        None => Ok(files),
    }
}

fn read_script(path: &Path) -> Result<ScriptFile, String> {
    let bytes = read_bytes(path).map_err(|error| cannot_read(path, &error))?;
    Ok(ScriptFile { path: path.to_path_buf(), bytes })
}

pub(super) fn cannot_read(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

impl Test {
    /// Test of these scripts, named after the first one.
    fn new(paths: Vec<PathBuf>, read: fn(&[PathBuf]) -> Result<Vec<ScriptFile>, String>) -> Test {
        let files = read(&paths);
        let name = paths[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_2015 = files.as_ref().is_ok_and(|files| is_of_2015(&files[0].bytes));
        Test { name, edition: if is_of_2015 { Edition::Of2015 } else { Edition::Of2020 }, paths, files }
    }

    /// The scripts, and the files beside each with these extensions.
    fn with_files(&self, extensions: &[&str]) -> Vec<PathBuf> {
        let beside = self.paths.iter().flat_map(|path| extensions.iter().map(|name| path.with_extension(name)));
        self.paths.iter().cloned().chain(beside).collect()
    }

    fn written(&self, arguments: &TestLoaArguments) -> Vec<PathBuf> {
        let mut written = Vec::new();
        for path in &self.paths {
            if arguments.keep && self.edition == Edition::Of2020 {
                written.extend([OUT, ERR].map(|name| path.with_extension(name)));
            }
            if arguments.std {
                written.push(path.with_extension(OUT_TMP));
            }
        }
        written
    }
}

/// Checks that a run writes no file that it reads, and none twice.
pub(super) fn check(tests: &[Test], arguments: &TestLoaArguments) -> Result<(), String> {
    let expected = |test: &Test| if test.edition == Edition::Of2020 { STD } else { OUT };
    let read = ids(tests.iter().flat_map(|test| test.with_files(&[expected(test)])));
    for test in tests {
        let mut taken = Vec::new();
        for (id, path) in ids(test.written(arguments).into_iter()) {
            let name = path.display();
            if find(&read, &id).is_some() {
                return Err(format!("{name} would be overwritten, but it is read: expected scripts with other names"));
            }
            if find(&taken, &id).is_some() {
                return Err(format!("both programs would write {name}: expected scripts with different names"));
            }
            taken.push((id, path));
        }
    }
    let Some(log) = &arguments.trace.log else { return Ok(()) };
    let Some(id) = FileId::of(log) else { return Ok(()) };
    match find(&ids(tests.iter().flat_map(|test| test.with_files(&[STD, OUT, ERR, OUT_TMP]))), &id) {
        Some(path) => {
            let (log, path) = (log.display(), path.display());
            Err(format!("--log={log} is {path}, a test file: expected another file"))
        }
        None => Ok(()),
    }
}

/// Identities of the files that store data; devices and the like are omitted.
fn ids(paths: impl Iterator<Item = PathBuf>) -> Vec<(FileId, PathBuf)> {
    paths.filter_map(|path| Some((FileId::of(&path)?, path))).collect()
}

fn find<'a>(files: &'a [(FileId, PathBuf)], id: &FileId) -> Option<&'a Path> {
    files.iter().find(|(other, _)| other == id).map(|(_, path)| path.as_path())
}

/// Runs `loa` programs through scripts of two editions of a course, and compares their output.
///
/// A test of 2020 is FILE-1.in, with FILE-2.in if that exists; one of 2015 is FILE.in.
///
/// Exit codes: the number of failed tests, at most 254; 1 also if nothing ran because a test file would be overwritten
/// or the log cannot be opened; 255 bad usage, or the report or the log cannot be written.
#[derive(Debug, Parser)]
#[command(name = "test-loa", version, after_help = GuidePage::Scripts.line(), after_long_help = after_help())]
pub struct TestLoaArguments {
    /// 2020: run these two scripts, with any names, as one pair. May be repeated.
    #[arg(long, num_args = 2, value_names = ["A.in", "B.in"])]
    pub pair: Vec<PathBuf>,
    /// Trace of all input and output.
    #[command(flatten)]
    pub trace: TraceArguments,
    /// Print the first N failures in detail: scripts, outputs, expected outputs, errors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub show: usize,
    /// 2020: keep FILE-1.out, the compared output, and FILE-1.err, the text of standard error.
    #[arg(long)]
    pub keep: bool,
    /// Write the output to FILE.out.tmp instead of comparing it.
    #[arg(long)]
    pub std: bool,
    /// Give the verdicts of the course's own tester where these differ; the guide lists where.
    #[arg(long)]
    pub as_the_course: bool,
    /// 2015: minutes for each color in the whole run, unless a command in the script sets them; above 0. Default: 0.25.
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    pub time: Option<Duration>,
    /// Run COMMAND instead of NAME where a script's command begins with the words NAME. May be repeated.
    ///
    /// The words after NAME are kept. If several names match, the longest one applies. NAME ends at the first `=`.
    /// 2020: COMMAND is split at blanks; 2015: it is run by the shell.
    #[arg(long = "program", value_name = "NAME=COMMAND")]
    pub programs: Vec<Replacement>,
    /// Scripts to run.
    #[arg(value_name = "FILE.in", required_unless_present = "pair")]
    pub files: Vec<PathBuf>,
}

/// Format of `.in` files in both editions, and the line that names the guide.
fn after_help() -> String {
    format!(
        "\
Scripts of 2020, one for each program: blank lines and comments (#), then

  #* COMMAND             the command to run, split at blanks, without a shell

From there on each line is an instruction or is sent unchanged, comments and blank lines included:

  #*time MOVE GAME       time limits in seconds for a message and for an instruction; default: 10 60
  #*move                 wait for the program's move
  #*move/win             wait for the moves of both sides, until the game ends
  #*move/win+            the same; compare the winner
  #*win+                 wait at most 5 s for the end of the game; compare the winner
  #*remote move/win      play against the program of the other script, until both say who has won
  #*remote move/win+     the same; compare the winner

Dumps and winners are compared with FILE-1.std, in which # starts a comment.

Scripts of 2015, one for both programs; blank lines and comments (#) are skipped:

  COMMAND                the command of program 1, run by the shell
  COMMAND                the command of program 2; None if there is only one
  ===#1===               the lines of program 1 follow
  ===#2===               the lines of program 2 follow

Each line is an instruction or is sent:

  %ib, %iw               send the other program's black (white) move to this one
  %mb, %mw               wait for this program's black (white) move
  %bw, %wb               wait for this program's moves for both sides, Black (White) first, until the game ends
  %ib..., %iw...         play against the other program, which moves first as Black (White), until the game ends
  %e                     wait at most 6 s for the end of the game
  %eb, %ew, %et          the same; Black wins, White wins, a tie
  %ae                    as %e; report the winner as the result of the test

Each color has 15 s for the whole run, or the larger --time=MINUTES in a command. Dumps are compared with FILE.out.

{}",
        GuidePage::Scripts.line()
    )
}

/// Arguments of the trace.
#[derive(Debug, Args)]
pub struct TraceArguments {
    /// Print the input and output of the programs to standard error.
    #[arg(long)]
    pub verbose: bool,
    /// Same as --verbose if N is 1 or more.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub verbosity: u32,
    /// Write what --verbose prints to FILE.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}
