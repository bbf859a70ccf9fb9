//! Protocol check: `master check` walks an agent through its protocol, step by step.
//!
//! A step that the contract requires is ok or wrong. A failure in a situation that the contract excludes, or a habit
//! that no rule forbids, is unwise and gets a note at most. The walk continues after a wrong step; later steps are
//! skipped only if they no longer make sense.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `step` | what is the result of a step? |
//! | `finding` | what was wrong, and how is it displayed? |
//! | `asked` | what was the request, and what was the answer? |
//! | `giving_up` | when does the check give up on an agent that hangs or never answers? |
//! | `shown` | how do boards and legal moves look in a protocol's notation? |
//! | `build` | is there a program, and does it build? |
//! | `ladder` | how far does an agent get with its first answer? |
//! | `turn_files` | does it play checkers through files? Uses `bench`, `files` and `start_up` |
//! | `request` | does it answer requests for 6x6 Lines of Action? |
//! | `console` | does it obey the text commands of 8x8 Lines of Action? Uses `script` and `scripts` |
//! | `game` | can it play a few turns of a real game? |
//! | `processes` | do any processes outlive the agent? |

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

use crate::intake::agent::{Agent, Intake};
use crate::league::{FaultRule, League, Protocol};
use crate::referee::players::{Contestant, PreparationObserver, WROTE_NO_CALIBRATION, prepare};
use crate::sandbox::Workspace;
use step::{StepResult, Walk};

/// Walks the agent at `path` through the league's protocol. Passes each step to `watch` when it is done, and tells
/// `observer` when its `calibrate` runs.
///
/// # Errors
/// The referee itself fails. The agent's faults are not errors; the steps report them.
pub fn check(
    workspace: Workspace,
    league: &League,
    path: &Path,
    watch: &mut dyn FnMut(&CheckStep),
    observer: &dyn PreparationObserver,
) -> anyhow::Result<Vec<CheckStep>> {
    // Every fault counts, and a few turns of a game are enough.
    let longest = Some(game::TURNS);
    let league = &League { faults: FaultRule::LosesGame, opening: 0, longest, ..league.clone() };
    let mut walk = Walk::new(watch);
    let intake = Intake::new(league).context("cannot create a folder for unpacked files")?;
    if let Some(agent) = build::find(&mut walk, workspace, league, path, &intake)? {
        let contestant = calibrate(&mut walk, workspace, league, agent, observer)?;
        match league.protocol {
            Protocol::TurnFiles => turn_files::walk(&mut walk, workspace, league, &contestant)?,
            Protocol::Request => request::walk(&mut walk, workspace, league, &contestant)?,
            Protocol::Console2020 | Protocol::Console2015 => console::walk(&mut walk, workspace, league, &contestant)?,
        }
    }
    Ok(walk.into_steps())
}

/// Runs the agent's `calibrate` if it exists.
fn calibrate(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    agent: Agent,
    observer: &dyn PreparationObserver,
) -> anyhow::Result<Contestant> {
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
