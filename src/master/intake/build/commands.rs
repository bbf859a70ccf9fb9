//! Runs build commands, each confined like an agent.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::intake::agent::{BuildCommand, Origin, TreeError, Trouble, Walk, copy_within, shortened};
use crate::league::agent_limits::Bytes;
use crate::league::clock_rules::Spent;
use crate::league::preparation::{PreparationLimits, waiting};
use crate::sandbox::{Cell, CpuTime, Job, JobEnd, JobLimits, Output, Workspace};

/// Folder for the temporary files of compilers.
const SCRATCH: &str = ".scratch";
/// Number of bytes of output to keep, from its start: later errors are often consequences of the first ones.
const LONGEST_LOG: usize = 16 << 10;
/// Limits that suffice for a large compiler, and that a league need not set.
const PROCESSES: u32 = 512;
const OPEN_FILES: u64 = 4096;

/// A folder in which commands are run, and the time that they have used.
pub(super) struct Builder<'a> {
    cell: Cell,
    /// A copy of the source, which the commands may read.
    source: &'a Path,
    limits: &'a PreparationLimits,
    spent: Spent,
}

impl Builder<'_> {
    pub(super) fn new<'a>(
        workspace: Workspace,
        limits: &'a PreparationLimits,
        source: &'a Path,
    ) -> Result<Result<Builder<'a>, Trouble>> {
        let cell = workspace.sandbox.cell(workspace.folder, "build", limits.build.of_disk())?;
        let mut builder = Builder { cell, source, limits, spent: Spent::default() };
        let script = format!("cp -R -- \"$1\"/. . && mkdir -p {SCRATCH}");
        let copied = builder.shell("copying its files", &script, vec![source.into()])?;
        Ok(copied.map(|()| builder))
    }

    pub(super) fn spent(&self) -> Spent {
        self.spent
    }

    pub(super) fn run(&mut self, command: &BuildCommand) -> Result<Result<(), Trouble>> {
        let script = format!("export TMPDIR=\"$PWD/{SCRATCH}\" HOME=\"$PWD/{SCRATCH}\"; exec \"$@\" 2>&1");
        let words = command.words.iter().skip(1).map(Into::into);
        let words = [command.program.clone().into_os_string()].into_iter().chain(words).collect();
        let run = self.shell(&format!("`{command}`"), &script, words)?;
        Ok(run.map_err(|trouble| match trouble {
            Trouble::NotBuilt { telling, details } if telling.starts_with(UNDEFINED) => {
                Trouble::NotBuilt { telling: telling + &self.not_compiled(command), details }
            }
            other => other,
        }))
    }

    /// The sources that a command leaves out, although they are in the language of one that it compiles.
    fn not_compiled(&self, command: &BuildCommand) -> String {
        let extension = |name: &str| Path::new(name).extension().map(ToOwned::to_owned);
        let is_source = |ending: &OsString| ["c", "cc", "cpp", "cxx"].iter().any(|known| *ending == **known);
        let compiled: Vec<_> = command.words.iter().filter_map(|word| extension(word)).filter(is_source).collect();
        let names = fs::read_dir(self.source).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let names = names.filter_map(|name| name.into_string().ok());
        let is_left_out = |name: &String| extension(name).is_some_and(|ending| compiled.contains(&ending));
        let mut left_out: Vec<_> = names.filter(|name| is_left_out(name) && !command.words.contains(name)).collect();
        left_out.sort();
        if left_out.is_empty() {
            return String::new();
        }
        let help = "help: hand in a Makefile that compiles all files";
        format!("; not compiled: {}; {help}", shortened(left_out).join(", "))
    }

    /// Copies what the commands have left to a folder outside.
    pub(super) fn take(self, into: &Path) -> Result<Result<(), Trouble>> {
        let top = self.cell.dir();
        let walk = Walk { top, origin: Origin::Built, limits: &self.limits.files, except: Some(SCRATCH) };
        match copy_within(walk, into) {
            Ok(()) => Ok(Ok(())),
            Err(error @ TreeError::Unwritable(..)) => Err(error.into()),
            Err(error) => {
                let telling = format!("the folder that it leaves is refused: {error}");
                Ok(Err(Trouble::NotBuilt { telling, details: String::new() }))
            }
        }
    }

    /// Runs a script of the shell with these arguments; `what` describes it.
    fn shell(&mut self, what: &str, script: &str, arguments: Vec<OsString>) -> Result<Result<(), Trouble>> {
        let build = self.limits.build;
        let left = |used: Duration| build.time().saturating_sub(used).max(Duration::from_millis(1));
        let first = ["-c".into(), script.into(), "build".into()];
        let run = self.cell.run(&Job {
            program: "/bin/sh".into(),
            arguments: first.into_iter().chain(arguments).collect(),
            readable: vec![self.source.to_owned()],
            input: Vec::new(),
            output: Output::Keep { bytes: LONGEST_LOG },
            limits: JobLimits {
                cpu: Some(left(self.spent.cpu)),
                counts: CpuTime::UserAndSystem,
                wall: left(self.spent.wall),
                waiting: Some(waiting(build.time())),
                memory: build.memory,
                processes: PROCESSES,
                open_files: OPEN_FILES,
                file_size: build.memory,
            },
        });
        let run = run.with_context(|| format!("{what} failed"))?;
        self.spent += Spent { cpu: run.cpu, wall: run.wall };
        let (seconds, memory) = (build.seconds, Bytes(build.memory));
        let limit = match &run.end {
            JobEnd::Exited(0) => return Ok(Ok(())),
            JobEnd::Starved | JobEnd::MachineOutOfMemory | JobEnd::NotStarted(_) => bail!("{what}: {}", run.end),
            JobEnd::OverCpu | JobEnd::OverWall => {
                format!("took too long, at most {seconds} s of CPU and wall time (preparation.build.seconds)")
            }
            JobEnd::OverMemory => format!("used up its memory, at most {memory} (preparation.build.memory)"),
            JobEnd::OverDisk => format!("wrote too much, at most {memory} (preparation.build.memory)"),
            JobEnd::Exited(_) | JobEnd::Signalled(_) | JobEnd::OverOutput => String::new(),
        };
        // The shell writes its own errors to standard error.
        let log = if run.stdout.is_empty() { &run.stderr } else { &run.stdout };
        let log = run.text(log).trim_end().to_owned();
        let log = if log.is_empty() { "it printed nothing".to_owned() } else { log };
        let telling = match (limit.is_empty(), missing_imports(&log)) {
            (false, _) => format!("{what} {limit}"),
            // The other errors are consequences.
            (true, Some(telling)) => return Ok(Err(Trouble::NotBuilt { telling, details: String::new() })),
            (true, None) => first_error(&log),
        };
        Ok(Err(Trouble::NotBuilt { telling, details: format!("{what}: {}; output:\n{log}", run.end) }))
    }
}

const UNDEFINED: &str = "undefined reference to ";
/// Errors of linkers. The line that says `error` follows them, without the reason.
const LINKING: [&str; 4] = [UNDEFINED, "undefined symbol: ", "multiple definition of ", "cannot find -l"];

/// The first line that names an error, or the last line; with the place of the error if that is on another line.
fn first_error(log: &str) -> String {
    let mut place = None;
    for line in log.lines() {
        if let Some(start) = LINKING.iter().find_map(|error| line.find(error)) {
            return line[start..].trim().to_owned();
        }
        // Python: `  File "homework.py", line 3`; Node.js: `homework.js:3`.
        let of_python = line.trim().strip_prefix("File \"").and_then(|rest| rest.split_once("\", line "));
        let of_node = line.rsplit_once(':').filter(|(file, _)| file.ends_with("js"));
        if let Some((file, number)) = of_python.or(of_node)
            && let Ok(number) = number.split(',').next().unwrap_or_default().parse::<u32>()
        {
            place = Some(format!("{file}, line {number}: "));
        } else if line.to_lowercase().contains("error") {
            return place.unwrap_or_default() + line.trim();
        }
    }
    log.lines().last().unwrap_or_default().trim().to_owned()
}

/// Lists the imports in Java sources that the compiler did not find, each with the first place that has it.
fn missing_imports(log: &str) -> Option<String> {
    let mut missing: Vec<(&str, &str)> = Vec::new();
    for (line, source) in log.lines().zip(log.lines().skip(1)) {
        // A misspelled variable is called a package as well.
        let Some(imported) = source.trim().strip_prefix("import ") else { continue };
        let Some((place, error)) = line.split_once(": error: ") else { continue };
        let package = error.strip_prefix("package ").and_then(|error| error.strip_suffix(" does not exist"));
        let class = imported.trim_start_matches("static ").trim_end_matches(';');
        let name = package.or((error == "cannot find symbol").then_some(class));
        if let Some(name) = name.filter(|name| missing.iter().all(|(known, _)| known != name)) {
            missing.push((name, place));
        }
    }
    let names: Vec<String> = missing.iter().map(|(name, place)| format!("{name} ({place})")).collect();
    let help = "help: --class-path FILE.jar, with the jar that has it";
    (!missing.is_empty()).then(|| format!("imported, but not found: {}; {help}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_told_with_its_place() {
        for (log, expected) in [
            (
                "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n  File \"homework.py\", line \
                 3\n    x = (\n        ^\nSyntaxError: '(' was never closed",
                "homework.py, line 3: SyntaxError: '(' was never closed",
            ),
            ("homework.js:2\nlet = 3;\n    ^\n\nSyntaxError: no\n    at wrap", "homework.js, line 2: SyntaxError: no"),
            (
                "/usr/bin/ld: a.o: in function `main':\na.cpp:(.text+0x1): undefined reference to `go()'\ncollect2: error: \
                 ld returned 1 exit status",
                "undefined reference to `go()'",
            ),
            (
                "/usr/bin/ld: cannot find -lboost: No such file\ncollect2: error: no",
                "cannot find -lboost: No such file",
            ),
            ("homework.c: In function\nhomework.c:1:5: error: unknown", "homework.c:1:5: error: unknown"),
            ("make: nothing", "make: nothing"),
            ("", ""),
        ] {
            assert_eq!(first_error(log), expected);
        }
    }

    #[test]
    fn imports_that_are_not_found_are_told_once() {
        let log = "loa/Main.java:3: error: package ucb.gui does not exist\nimport ucb.gui.Pad;\n              ^\n\
                   loa/Board.java:5: error: package ucb.gui does not exist\nimport static ucb.gui.Pad.*;\n\
                   loa/Board.java:6: error: cannot find symbol\nimport ucb.util.Clock;\n  symbol:   class Clock\n\
                   loa/Main.java:9: error: package system does not exist\n        system.out.println();\n";
        let told = "imported, but not found: ucb.gui (loa/Main.java:3), ucb.util.Clock (loa/Board.java:6); help: ";
        assert!(missing_imports(log).is_some_and(|found| found.starts_with(told)), "{:?}", missing_imports(log));
        assert_eq!(missing_imports("A.java:9: error: package system does not exist\n    system.out.x();"), None);
    }
}
