//! Builds agents submitted as source in a cell without network access, once for each set of files.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use sha2::{Digest, Sha256};

use super::agent::{self, Agent, BuildCommand, Trouble, copy};
use crate::league::GameKind;
use crate::league::clock_rules::Spent;
use crate::sandbox::{Cell, DiskLimit, Job, JobEnd, JobLimits, Output, Workspace};

/// Folder of finished builds, inside the folder for files kept between games.
const BUILT: &str = "built";
/// Folder for the temporary files of compilers.
const SCRATCH: &str = ".scratch";
/// Limits that suffice for a large compiler.
const LIMITS: JobLimits = JobLimits {
    cpu: Some(Duration::from_secs(600)),
    wall: Duration::from_secs(900),
    waiting: None,
    memory: 8 << 30,
    processes: 512,
    open_files: 4096,
    file_size: 1 << 30,
};
const DISK: DiskLimit = DiskLimit { bytes: 4 << 30, files: 1 << 18 };
/// Number of bytes of output to keep, from its start: later errors are often consequences of the first ones.
const LONGEST_LOG: usize = 16 << 10;

/// Outcome and cost of a build.
#[derive(Debug)]
pub struct Build {
    /// The agent with its programs, or the reason why it cannot be built.
    pub result: Result<Agent, Trouble>,
    /// Total time of the commands.
    pub spent: Spent,
}

impl Build {
    /// Returns the agent with its programs or, if it could not be built, the agent as found, which then fails to start
    /// in its first game.
    pub fn or_as_found(self, agent: &Agent) -> Agent {
        self.result.unwrap_or_else(|_| agent.clone())
    }
}

/// Builds an agent submitted as source; returns any other agent unchanged. Keeps the build in the workspace, under a
/// hash of the agent's files and commands.
///
/// # Errors
/// The agent's files cannot be read, the workspace cannot be written, or the sandbox fails.
pub fn build(workspace: Workspace, game: GameKind, agent: &Agent) -> anyhow::Result<Build> {
    let mut spent = Spent::default();
    if agent.build.is_empty() {
        return Ok(Build { result: Ok(agent.clone()), spent });
    }
    let builds = workspace.kept.join(BUILT);
    let kept = builds.join(key(agent));
    if !kept.is_dir() {
        // Others can read a build if they know its name, but they cannot list the names.
        fs::create_dir_all(&builds)
            .and_then(|()| fs::set_permissions(&builds, Permissions::from_mode(0o711)))
            .with_context(|| format!("cannot make {}", builds.display()))?;
        if let Err(why) = make(workspace, agent, &kept, &mut spent)? {
            return Ok(Build { result: Err(why), spent });
        }
    }
    let kept = kept.canonicalize().with_context(|| format!("cannot read {}", kept.display()))?;
    Ok(Build { result: agent::built(agent, &kept, game), spent })
}

/// Hash of everything that a build depends on, in hexadecimal.
fn key(agent: &Agent) -> String {
    let commands = agent.build.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let hash = Sha256::digest(format!("{}\n{commands}", agent.hash));
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Runs the commands in a copy of the agent's folder and keeps the result.
fn make(workspace: Workspace, agent: &Agent, kept: &Path, spent: &mut Spent) -> anyhow::Result<Result<(), Trouble>> {
    let unwritable = || format!("cannot copy {} to {}", agent.folder.display(), kept.display());
    let beside = kept.parent().unwrap_or(workspace.kept).canonicalize()?;
    let source = tempfile::tempdir_in(&beside).with_context(unwritable)?;
    copy(&agent.folder, source.path()).with_context(unwritable)?;
    let mut cell = workspace.sandbox.cell(workspace.folder, "build", DISK)?;
    let script = format!("cp -R -- \"$1\"/. . && mkdir -p {SCRATCH}");
    let run = cell.run(&shell(script, vec!["build".into(), source.path().into()], source.path()))?;
    anyhow::ensure!(run.end == JobEnd::Exited(0), "cannot copy an agent to build it: {}", run.end);
    for command in &agent.build {
        if let Err(why) = run_command(&mut cell, command, source.path(), spent)? {
            return Ok(Err(why));
        }
    }
    let result = tempfile::tempdir_in(&beside).with_context(unwritable)?;
    cell.remove(SCRATCH).and_then(|()| copy(cell.dir(), result.path())).with_context(unwritable)?;
    let result = result.keep();
    match fs::rename(&result, kept) {
        // Another thread has already built the same files.
        Err(_) if kept.is_dir() => fs::remove_dir_all(&result).with_context(unwritable)?,
        renamed => renamed.with_context(unwritable)?,
    }
    Ok(Ok(()))
}

/// Runs a build command and adds its time to `spent`.
fn run_command(
    cell: &mut Cell,
    command: &BuildCommand,
    source: &Path,
    spent: &mut Spent,
) -> anyhow::Result<Result<(), Trouble>> {
    // Redirects the output to a file, so that its start can be kept.
    let script = format!(
        "export TMPDIR=\"$PWD/{SCRATCH}\" HOME=\"$PWD/{SCRATCH}\"; \"$@\" > {SCRATCH}/.log 2>&1; code=$?; \
         head -c {LONGEST_LOG} {SCRATCH}/.log; exit $code"
    );
    let arguments = ["build".into(), command.program.clone().into_os_string()].into_iter();
    let arguments = arguments.chain(command.words.iter().skip(1).map(Into::into)).collect();
    let run = cell.run(&shell(script, arguments, source))?;
    *spent += Spent { cpu: run.cpu, wall: run.wall };
    Ok(match run.end {
        JobEnd::Exited(0) => Ok(()),
        JobEnd::Starved => anyhow::bail!("`{command}` waited for a core for too long"),
        end => {
            let log = String::from_utf8_lossy(&run.stdout).trim_end().to_owned();
            let log = if log.is_empty() { "it printed nothing".to_owned() } else { log };
            Err(Trouble::NotBuilt { command: format!("{command}: {end}"), log })
        }
    })
}

fn shell(script: String, mut arguments: Vec<OsString>, source: &Path) -> Job {
    arguments.splice(0..0, ["-c".into(), script.into()]);
    Job {
        program: "/bin/sh".into(),
        arguments,
        readable: vec![source.to_owned()],
        input: Vec::new(),
        output: Output::Keep { bytes: 2 * LONGEST_LOG },
        limits: LIMITS,
    }
}
