//! Is there a program, and where it comes as source, can it be built?

use std::path::Path;

use super::step::{Finding, StepResult, Walk};
use crate::master::agent::{Agent, Intake, agent_at};
use crate::master::league::League;
use crate::master::players::{Build, Workspace, build};

/// The agent at a path, built first if it comes as source; `None`: there is no program to check.
pub(super) fn find(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    path: &Path,
    intake: &Intake,
) -> anyhow::Result<Option<Agent>> {
    let found = agent_at(path, intake);
    let step = match &found {
        Ok(agent) if agent.build.is_empty() => StepResult::did(format!("found {}", agent.player)),
        Ok(agent) => {
            let commands: Vec<String> = agent.build.iter().map(|command| format!("`{command}`")).collect();
            StepResult::did(format!("found source, to be built by {}", commands.join(" and ")))
        }
        Err(refused) => {
            let expected = "one program, as it is or as source in a language of the league's table";
            StepResult::did("looked for a program").wrong(Finding::plain("the agent:", refused.to_string(), expected))
        }
    };
    walk.done("§2", "there is a program", step);
    let Ok(agent) = found else { return Ok(None) };
    if agent.build.is_empty() {
        return Ok(Some(agent));
    }
    let Build { result, spent } = build(workspace, league.game, &agent)?;
    let mut step = StepResult::did("ran what builds it on a copy of the folder");
    step.add(spent);
    let (step, agent) = match result {
        Ok(agent) => (step, Some(agent)),
        Err(why) => {
            let expected = "a program, with exit code 0 of all that builds it";
            (step.wrong(Finding::plain("the build:", why.to_string(), expected)), None)
        }
    };
    walk.done("§2", "the program can be built", step);
    Ok(agent)
}
