//! Search for processes that the agent left running.

use super::step::{Finding, StepResult};
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::referee::players::{AgentProgram, Contestant};
use crate::sandbox::{JobEnd, JobLimits, Output, Workspace};
use kingline::game::Color;

/// A last request to an agent, made through a shell that looks for processes after the agent has ended.
pub(super) struct FinalRequest<'a> {
    /// Names and contents of the files in its working directory.
    pub(super) files: &'a [(&'a str, String)],
    /// Standard input.
    pub(super) input: String,
}

/// Shell script that runs the agent, pauses for processes that are about to end, and then finds those that remain by
/// sending signal 0 to all. The shell must be the first process in its namespace; elsewhere, it could not tell them
/// from the user's other processes.
const LOOK_AROUND: &str = "\"$@\"; [ $$ = 1 ] || exit 98; sleep 0.2; kill -s 0 -- -1 2>/dev/null && exit 99; exit 0";

/// Title of the step.
pub(super) const TITLE: &str = "it leaves no processes behind";

/// Checks that no process outlives the agent.
pub(super) fn left_behind(
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
    request: &FinalRequest,
) -> anyhow::Result<StepResult> {
    let mut cell = workspace.cell(Color::White, &league.limits, contestant)?;
    for (name, content) in request.files {
        cell.write(name, content.as_bytes())?;
    }
    let input = request.input.clone().into_bytes();
    let limits = league.limits.of_job(None, JobLimits::default().wall);
    let mut job = contestant.job(&cell, AgentProgram::Player, input, Output::Discard, limits);
    let mut arguments = vec!["-c".into(), LOOK_AROUND.into(), "sh".into(), job.program.into_os_string()];
    arguments.append(&mut job.arguments);
    (job.program, job.arguments) = ("/bin/sh".into(), arguments);
    let run = cell.run(&job)?;
    let mut found = StepResult::did("looked for processes after it ended");
    found.add(Spent { cpu: run.cpu, wall: run.wall });
    match run.end {
        JobEnd::Exited(0) => {}
        JobEnd::Exited(98) => found.notes.push("cannot be checked on this machine".into()),
        JobEnd::Exited(99) => {
            let expected = "none: the referee kills remaining processes";
            found = found
                .wrong(Finding::plain("after its answer:", "processes that keep running", expected))
                .unwise("no rule forbids it, but the referee kills them");
        }
        end => found.notes.push(format!("cannot be checked: {end}")),
    }
    Ok(found)
}
