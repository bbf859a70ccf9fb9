//! Does an agent keep to its protocol? `master check` walks it through, step by step.
//!
//! What the contract requires is ok or wrong. What it never lets happen, and what has no rule against it, is unwise at
//! most: a note. A step that goes wrong does not end the walk; only what cannot make sense any more is skipped.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `step` | what a step came to |
//! | `finding` | what was wrong, and how that is shown |
//! | `asked` | what was asked for, and what was the answer |
//! | `giving_up` | when an agent is given up that hangs, or never answers |
//! | `shown` | how boards and legal moves look in the notation of a protocol |
//! | `build` | whether there is a program, and it can be built |
//! | `ladder` | how far an agent gets with its first answer |
//! | `turn_files` | the walk through checkers by files, with `bench`, `files` and `start_up` |
//! | `request` | the walk through 6x6 Lines of Action by requests |
//! | `console` | the walk through 8x8 Lines of Action by text commands, with `script` and `scripts` |
//! | `game` | some turns of a real game |
//! | `processes` | whether any process keeps running when the agent has ended |

mod asked;
mod bench;
mod build;
mod console;
mod files;
mod finding;
mod game;
mod giving_up;
mod ladder;
mod processes;
mod request;
mod script;
mod scripts;
mod shown;
mod start_up;
mod step;
mod turn_files;

use std::path::Path;

pub use shown::ShownBoard;
pub use step::{CheckStep, Finding, Status};

use anyhow::Context;

use super::agent::{Agent, Intake};
use super::league::{FaultRule, League, Protocol};
use super::players::{Contestant, WROTE_NO_CALIBRATION, Workspace, prepare};
use step::{StepResult, Walk};

/// Walks the agent at `path` through the league's protocol. `watch` sees every step as it is done.
///
/// # Errors
/// The referee itself fails: no agent's fault. Whatever is wrong with the agent is in the steps.
pub fn check(
    workspace: Workspace,
    league: &League,
    path: &Path,
    watch: &mut dyn FnMut(&CheckStep),
) -> anyhow::Result<Vec<CheckStep>> {
    // Every fault counts, and some turns of a game are enough.
    let longest = Some(game::TURNS);
    let league = &League { faults: FaultRule::LosesGame, opening: 0, longest, ..league.clone() };
    let mut walk = Walk::new(watch);
    let intake = Intake::new(league).context("cannot make a folder for what is unpacked")?;
    if let Some(agent) = build::find(&mut walk, workspace, league, path, &intake)? {
        let contestant = calibrate(&mut walk, workspace, league, agent)?;
        match league.protocol {
            Protocol::TurnFiles => turn_files::walk(&mut walk, workspace, league, &contestant)?,
            Protocol::Request => request::walk(&mut walk, workspace, league, &contestant)?,
            Protocol::Console2020 | Protocol::Console2015 => console::walk(&mut walk, workspace, league, &contestant)?,
        }
    }
    Ok(walk.into_steps())
}

/// Runs the agent's `calibrate`, if it has one.
fn calibrate(walk: &mut Walk, workspace: Workspace, league: &League, agent: Agent) -> anyhow::Result<Contestant> {
    let program = agent.calibrate.clone();
    let contestant = prepare(workspace, league, agent)?;
    let mut found = StepResult::did(program.map_or("it has none".to_owned(), |program| format!("ran {program}")));
    for note in contestant.notes() {
        found = found.wrong(Finding::plain("calibrate:", note.as_str(), "exit code 0, and calibration.txt written"));
    }
    if contestant.is_calibrated() || contestant.notes() == [WROTE_NO_CALIBRATION] {
        found = found.unwise("not required: calibrate may write calibration.txt, and need not");
    }
    walk.done("§2", "calibrate, where there is one, does its work", found);
    Ok(contestant)
}
