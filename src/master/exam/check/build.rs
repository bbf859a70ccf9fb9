//! Finds and builds the agent's program.

use std::path::Path;

use super::step::{Finding, StepResult, Walk};
use crate::intake::agent::{Agent, Intake, agent_at};
use crate::intake::build::{Build, build};
use crate::league::League;
use crate::sandbox::Workspace;

/// The agent at a path, built if it comes as source; `None` if there is no program to check.
pub(super) fn find(
    walk: &mut Walk,
    workspace: Workspace,
    league: &League,
    path: &Path,
    intake: &Intake,
) -> anyhow::Result<Option<Agent>> {
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
    let Build { result, spent } = build(workspace, league, &agent)?;
    let mut step = StepResult::did("ran its build commands in a copy of the folder");
    step.add(spent);
    let (step, agent) = match result {
        Ok(agent) => (step, Some(agent)),
        Err(why) => {
            let expected = "a program, and exit code 0 from every build command";
            (step.wrong(Finding::plain("the build:", why.to_string(), expected)), None)
        }
    };
    walk.done("§2", "the program can be built", step);
    Ok(agent)
}
