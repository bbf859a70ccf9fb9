//! Does any process keep running when the agent has ended?

use super::step::{Finding, StepResult};
use crate::game::Color;
use crate::master::clock_rules::Spent;
use crate::master::league::League;
use crate::master::players::{AgentProgram, Contestant, Workspace};
use crate::master::sandbox::{JobEnd, JobLimits, Output};

/// A request to an agent that is run by a shell, which looks for processes when the agent has ended.
pub(super) struct FinalRequest<'a> {
    /// Files in its working directory: names and contents.
    pub(super) files: &'a [(&'a str, String)],
    /// Its standard input.
    pub(super) input: String,
}

/// If the shell is the first process of a namespace, a signal to all processes finds those that are left; processes
/// that are just ending get a moment. Otherwise they cannot be distinguished from other processes of the user.
const LOOK_AROUND: &str = "\"$@\"; [ $$ = 1 ] || exit 98; sleep 0.2; kill -s 0 -- -1 2>/dev/null && exit 99; exit 0";

/// What has to be right.
pub(super) const TITLE: &str = "it leaves no processes behind";

/// Whether processes keep running when the agent has ended.
pub(super) fn left_behind(
    workspace: Workspace,
    league: &League,
    contestant: &Contestant,
    request: &FinalRequest,
) -> anyhow::Result<StepResult> {
    let mut cell = workspace.cell(Color::White, &league.limits, contestant)?;
    contestant.settle(&cell, &[])?;
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
    let mut found = StepResult::did("looked for processes when it had ended");
    found.add(Spent { cpu: run.cpu, wall: run.wall });
    match run.end {
        JobEnd::Exited(0) => {}
        JobEnd::Exited(98) => found.notes.push("cannot be checked on this machine".into()),
        JobEnd::Exited(99) => {
            let expected = "none: the referee ends what is left of a turn";
            found = found
                .wrong(Finding::plain("after its answer:", "processes that keep running", expected))
                .unwise("no rule forbids it, but the referee ends them");
        }
        end => found.notes.push(format!("cannot be checked: {end}")),
    }
    Ok(found)
}
