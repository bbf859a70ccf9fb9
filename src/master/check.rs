//! Protocol check: `master check` walks an agent through its protocol, step by step.
//!
//! A step that the contract requires is ok or wrong. A failure in a situation that the contract excludes, or a habit
//! that no rule forbids, is unwise and gets a note at most. The walk continues after a wrong step; later steps are
//! skipped only if they no longer make sense.

mod common;
mod console;
mod finding;
mod request;
mod scripts;
mod turn_files;
mod walk;

use std::path::Path;

pub(crate) use finding::{Finding, ShownBoard};
pub(crate) use walk::{CheckStep, Status};

use anyhow::{Context, Result};

use crate::intake::agent::{Agent, Intake, agent_at};
use crate::intake::build::{Build, build};
use crate::league::{FaultRule, League, Protocol};
use crate::referee::players::{Contestant, PreparationObserver, WROTE_NO_CALIBRATION, prepare};
use crate::sandbox::Workspace;
use walk::{StepResult, Walk};

#[derive(Clone, Copy)]
struct Subject<'a> {
    workspace: Workspace<'a>,
    league: &'a League,
    contestant: &'a Contestant,
}

/// Walks the agent at `path` through the league's protocol. Passes each step to `watch` when it is done, and tells
/// `observer` when its `calibrate` runs.
pub(crate) fn check(
    workspace: Workspace,
    league: &League,
    path: &Path,
    watch: &mut dyn FnMut(&CheckStep),
    observer: &dyn PreparationObserver,
) -> Result<Vec<CheckStep>> {
    // Every fault counts, and a few turns of a game are enough.
    let league = &League { faults: FaultRule::LosesGame, opening: 0, longest: Some(common::TURNS), ..league.clone() };
    let mut walk = Walk::new(watch);
    let intake = Intake::new(league).context("cannot create a folder for unpacked files")?;
    if let Some(agent) = find(&mut walk, workspace, path, &intake)? {
        let contestant = &calibrate(&mut walk, workspace, league, agent, observer)?;
        let subject = Subject { workspace, league, contestant };
        match league.protocol {
            Protocol::TurnFiles => turn_files::walk(&mut walk, subject)?,
            Protocol::Request => request::walk(&mut walk, subject)?,
            Protocol::Console2020 | Protocol::Console2015 => console::walk(&mut walk, subject)?,
        }
    }
    Ok(walk.into_steps())
}

/// The agent at a path, built if it comes as source; `None` if there is no program to check.
fn find(walk: &mut Walk, workspace: Workspace, path: &Path, intake: &Intake) -> Result<Option<Agent>> {
    let found = agent_at(path, intake);
    let mut step = match &found {
        Ok(agent) if !agent.is_source() => StepResult::did(format!("found {}", agent.player)),
        Ok(agent) => {
            let commands: Vec<String> = agent.build_commands().map(|command| format!("`{command}`")).collect();
            StepResult::did(format!("found source, to be built by {}", commands.join(" and ")))
        }
        Err(refused) => {
            let expected = "one program, executable or as source in a language that the league lists";
            StepResult::did("looked for a program").wrong(Finding::plain("the agent:", refused.to_string(), expected))
        }
    };
    found.iter().flat_map(|agent| &agent.found).for_each(|note| step.note(note));
    walk.done("§2", "there is a program", step);
    let Ok(agent) = found else { return Ok(None) };
    if !agent.is_source() {
        return Ok(Some(agent));
    }
    let Build { result, spent } = build(workspace, intake.league(), &agent)?;
    let mut step = StepResult::did("ran its build commands in a copy of the folder");
    step.spent = spent;
    if let Err(why) = &result {
        let expected = "a program, and exit code 0 from every build command";
        step = step.wrong(Finding::plain("the build:", why.to_string(), expected));
    }
    walk.done("§2", "the program can be built", step);
    Ok(result.ok())
}

fn calibrate(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    agent: Agent,
    observer: &dyn PreparationObserver,
) -> Result<Contestant> {
    let program = agent.calibrate.clone();
    let contestant = prepare(workspace, league, agent, observer)?;
    let mut found = StepResult::did(program.map_or("there is none".to_owned(), |program| format!("ran {program}")));
    for note in contestant.notes() {
        found = found.wrong(Finding::plain("calibrate:", note.as_str(), "exit code 0, and calibration.txt written"));
    }
    if contestant.is_calibrated() || contestant.notes() == [WROTE_NO_CALIBRATION] {
        found = found.unwise("not required: calibrate may write calibration.txt, but need not");
    }
    walk.done("§2", "calibrate, if there is one, succeeds", found);
    Ok(contestant)
}
