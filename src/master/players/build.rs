//! How is an agent that comes as source built? Once for its files, in a cell, without a network.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use sha2::{Digest, Sha256};

use super::Workspace;
use crate::master::agent::{self, Agent, BuildCommand, Trouble, copy};
use crate::master::clock_rules::Spent;
use crate::master::league::GameKind;
use crate::master::sandbox::{Cell, DiskLimit, Job, JobEnd, JobLimits, Output};

/// Where what was built is kept, under the folder for what is kept between games.
const BUILT: &str = "built";
/// A folder for temporary files, which compilers need.
const SCRATCH: &str = ".scratch";
/// Enough for a large compiler.
const LIMITS: JobLimits = JobLimits {
    cpu: Some(Duration::from_secs(600)),
    wall: Duration::from_secs(900),
    memory: 8 << 30,
    processes: 512,
    open_files: 4096,
    file_size: 1 << 30,
};
const DISK: DiskLimit = DiskLimit { bytes: 4 << 30, files: 1 << 18 };
/// Bytes of messages that are kept, the first ones: later errors often follow from them.
const LONGEST_LOG: usize = 16 << 10;

/// A build: what it came to, and what it cost.
#[derive(Debug)]
pub struct Build {
    /// The agent with its programs, or why there is none.
    pub result: Result<Agent, Trouble>,
    /// The time of all commands.
    pub spent: Spent,
}

/// Builds an agent that comes as source; one that does not is returned as it is. What was built is kept in the workspace,
/// under a hash of the agent's files and the commands.
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
        // Who knows the name of what is in it may read it; nobody can look for names.
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

/// A hash of all that a build depends on, in hexadecimal.
fn key(agent: &Agent) -> String {
    let commands = agent.build.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let hash = Sha256::digest(format!("{}\n{commands}", agent.hash));
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Runs the commands in a copy of the agent's folder, and keeps what they made.
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
        // Another thread has built the same files.
        Err(_) if kept.is_dir() => fs::remove_dir_all(&result).with_context(unwritable)?,
        renamed => renamed.with_context(unwritable)?,
    }
    Ok(Ok(()))
}

/// Runs a command of the build, and adds its time.
fn run_command(
    cell: &mut Cell,
    command: &BuildCommand,
    source: &Path,
    spent: &mut Spent,
) -> anyhow::Result<Result<(), Trouble>> {
    // The first messages are the ones that help, so they go through a file.
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
            let log = if log.is_empty() { "it said nothing".to_owned() } else { log };
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
