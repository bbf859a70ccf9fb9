//! How does an agent that comes as source become a program?

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::step::{Finding, StepResult, Walk};
use crate::master::agent::{Agent, agent_at, copy};
use crate::master::clock_rules::Spent;
use crate::master::league::GameKind;
use crate::master::players::Workspace;
use crate::master::sandbox::{DiskLimit, Job, JobEnd, JobLimits, Output};

/// How an agent's source is built: a file, and the command that runs it. The first file that exists counts.
const RECIPES: [(&str, &str); 3] =
    [("build.sh", "exec sh ./build.sh"), ("Makefile", "exec make"), ("makefile", "exec make")];
/// A folder for temporary files, which compilers need.
const SCRATCH: &str = ".scratch";
/// Enough for a large compiler.
const LIMITS: JobLimits = JobLimits {
    cpu: None,
    wall: Duration::from_secs(900),
    memory: 8 << 30,
    processes: 512,
    open_files: 4096,
    file_size: 1 << 30,
};
const DISK: DiskLimit = DiskLimit { bytes: 4 << 30, files: 1 << 18 };

/// The agent at a path, built first if it comes as source; `None`: there is no program to check.
pub(super) fn build(
    walk: &mut Walk,
    workspace: Workspace,
    game: GameKind,
    path: &Path,
) -> anyhow::Result<Option<Agent>> {
    let mut found = agent_at(path, game);
    if let (Err(_), Some(recipe)) = (&found, RECIPES.iter().find(|(file, _)| path.join(file).is_file())) {
        match make(walk, workspace, path, *recipe)? {
            Some(built) => found = agent_at(&built, game),
            None => return Ok(None),
        }
    }
    let step = match &found {
        Ok(agent) => StepResult::did(format!("found {}", agent.program.display())),
        Err(refused) => {
            let expected = "a program, or a build.sh or Makefile that makes one";
            StepResult::did("looked for a program").wrong(Finding::plain("the agent:", refused.to_string(), expected))
        }
    };
    walk.done("§2", "there is a program", step);
    Ok(found.ok())
}

/// Builds a copy of an agent's folder; returns where the result is, if there is one.
fn make(walk: &mut Walk, workspace: Workspace, source: &Path, recipe: (&str, &str)) -> anyhow::Result<Option<PathBuf>> {
    let source = source.canonicalize()?;
    let (file, line) = recipe;
    let copying = format!(
        "cp -R -- \"$1\"/. . && mkdir -p {SCRATCH} && export TMPDIR=\"$PWD/{SCRATCH}\" HOME=\"$PWD/{SCRATCH}\""
    );
    // Compilers may write their messages to either stream.
    let script = format!("{copying} && {line} 1>&2");
    let mut cell = workspace.sandbox.cell(workspace.folder, "build", DISK)?;
    let job = Job {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into(), "build".into(), source.clone().into()],
        readable: vec![source.clone()],
        input: Vec::new(),
        output: Output::Discard,
        limits: LIMITS,
    };
    let run = cell.run(&job)?;
    let mut found = StepResult::did(format!("ran {file} on a copy of the folder"));
    found.add(Spent { cpu: run.cpu, wall: run.wall });
    if run.end != JobEnd::Exited(0) {
        let stderr = String::from_utf8_lossy(&run.stderr);
        let stderr = stderr.trim();
        let read =
            if stderr.is_empty() { run.end.to_string() } else { format!("{}; the end of stderr:\n{stderr}", run.end) };
        walk.done(
            "§2",
            "the program can be built",
            found.wrong(Finding::plain(format!("{file}:"), read, "exit code 0")),
        );
        return Ok(None);
    }
    let built = workspace.folder.join("built").join(source.file_name().unwrap_or_default());
    cell.remove(SCRATCH)
        .and_then(|()| copy(cell.dir(), &built))
        .with_context(|| format!("cannot copy what {file} made"))?;
    walk.done("§2", "the program can be built", found);
    Ok(Some(built))
}
