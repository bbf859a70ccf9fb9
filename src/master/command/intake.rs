//! Taking in agents: finding them in folders, and building those that come as source.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::screen::{Running, progress_bar};
use crate::intake::agent::{Agent, FoundAgents, Intake, MissingModule, NamePattern, Refused, Trouble, agents_in};
use crate::intake::build::{Build, build};
use crate::league::League;
use crate::sandbox::{MemoryDemand, Sandbox, Workspace};
use crate::stop::StopFlag;
use crate::threads::spread;
use kingline_players::exit::BadInput;
use kingline_players::terminal::{escaped, escaped_path, stderr_line};

/// Option for flat exports.
#[derive(Args, Clone, Debug)]
pub(super) struct LayoutOption {
    /// Names of the files if those of all students are in one folder, e.g. {student}_{id}_{number}_{file}. {late} stands
    /// for _LATE or nothing, {any} for any text; of several {number}, the greatest count. May be repeated; for each
    /// file, the first that matches counts. Default: what the names have in common.
    #[arg(long = "layout", value_name = "PATTERN")]
    patterns: Vec<NamePattern>,
}

impl LayoutOption {
    pub(super) fn is_given(&self) -> bool {
        !self.patterns.is_empty()
    }

    pub(super) fn words(&self) -> Vec<String> {
        self.patterns.iter().flat_map(|pattern| ["--layout".to_owned(), pattern.to_string()]).collect()
    }
}

pub(super) fn intake(league: &League) -> Result<Intake<'_>> {
    Intake::new(league).context("cannot create a folder for unpacked files")
}

/// Intake settings for this league and a class or several agents.
pub(super) fn intake_of<'a>(league: &'a League, layout: &'a LayoutOption) -> Result<Intake<'a>> {
    Ok(intake(league)?.with_layouts(&layout.patterns))
}

/// Finds the agents in folders; warns about each file that is not an agent, and shows whose files are whose.
pub(super) fn agents_found(directories: &[PathBuf], intake: &Intake) -> Result<FoundAgents> {
    let found = agents_in(directories, intake).map_err(|error| BadInput::new(format!("cannot read {error}")))?;
    for path in &found.ignored {
        let path = escaped_path(path);
        stderr_line(format_args!("master: ignored: {path}: neither a folder nor an archive"));
    }
    for export in &found.exports {
        let (folder, students) = (escaped_path(&export.folder), export.students.len());
        stderr_line(format_args!("{folder}: {students} students by the names of their files, {}", export.pattern));
        for student in &export.students {
            let files: Vec<&str> = student.files.keys().map(String::as_str).collect();
            let late = if student.is_late { " (late)" } else { "" };
            stderr_line(format_args!("  {}: {}{late}", escaped(&student.name), escaped(&files.join(", "))));
        }
        stderr_line("help: if these are not the students, --layout says what the names look like");
    }
    for (what, names) in lacks(&found, intake.league()) {
        let (count, names) = (names.len(), escaped(&names.join(", ")));
        stderr_line(format_args!("master: this machine lacks {what}, which {count} of these need: {names}"));
    }
    Ok(found)
}

/// Returns the programs and Python modules missing from this machine, with the names of the submissions that need them.
fn lacks(found: &FoundAgents, league: &League) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for refused in &found.refused {
        if let Trouble::NoLanguage { program, .. } = &refused.why {
            all.entry(program.clone()).or_default().push(refused.name.to_string_lossy().into_owned());
        }
    }
    for agent in &found.agents {
        for MissingModule { interpreter, module } in MissingModule::imported_by(agent, &league.modules) {
            all.entry(format!("{module} for {interpreter}")).or_default().push(agent.name.clone());
        }
    }
    all
}

pub(super) struct Builders<'a> {
    pub(super) sandbox: &'a Sandbox,
    pub(super) jobs: usize,
    pub(super) stop: &'a StopFlag,
}

/// Builds agents that come as source, in `kept`; refuses those that cannot be built, even if the machine is at fault.
///
/// # Errors
/// It was stopped.
pub(super) fn build_all(builders: &Builders, league: &League, kept: &Path, found: &mut FoundAgents) -> Result<()> {
    let Builders { sandbox, jobs, stop } = *builders;
    let demand = MemoryDemand { tasks: jobs, agents: 1, each: league.preparation.build.memory };
    let jobs = sandbox.share_memory(demand).at_once;
    let bar = progress_bar(found.agents.len() as u64, "{spinner} built {pos} of {len} agents, {elapsed}: {wide_msg}");
    let running = Running::of(&bar);
    let agents = std::mem::take(&mut found.agents);
    let work = |agent: &Agent| {
        running.begin(agent.name.clone());
        let folder = tempfile::tempdir().context("cannot create a folder for the build")?;
        let built = build(Workspace { sandbox, folder: folder.path(), kept }, league, agent);
        running.end(&agent.name);
        built
    };
    let kept = spread(&agents, jobs, stop, work, |agent, built| {
        let why = match built {
            Ok(Build { result: Ok(built), .. }) => {
                found.agents.push(built);
                None
            }
            Ok(Build { result: Err(why), .. }) => Some(why),
            // The stop flag interrupted this build.
            Err(_) if stop.is_requested() => None,
            Err(error) => Some(Trouble::Machine(format!("{error:#}"))),
        };
        found.refused.extend(why.map(|why| Refused { name: (&agent.name).into(), path: (&agent.name).into(), why }));
        bar.inc(1);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = kept;
    bar.finish_and_clear();
    ensure!(!stop.is_requested(), "stopped before all agents were built; help: run the same command again to continue");
    found.agents.sort_by(|a, b| a.name.cmp(&b.name));
    found.refused.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(())
}
