//! The command `master check`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use super::options::{LeagueOptions, Purpose, SandboxOptions, games_at_once};
use super::screen::{Running, paint};
use crate::check::{CheckStep, Status, check};
use crate::league::agent_limits::AgentLimits;
use crate::sandbox::Workspace;
use kingline::draw::Paint;
use kingline_players::exit::BadInput;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{escaped_lines, stdout_drawing, stdout_json, stdout_line};

/// Walks an agent through its protocol, step by step: `master check mine/`.
///
/// Each step prints what was done. If something is wrong, it also prints the board, the legal moves, what was read and
/// what was expected. A requirement of the contract is `ok` or `WRONG`; unwise behavior is a `note`. An agent that
/// comes as source, with a build.sh or a Makefile for instance, is built first, in a copy of its folder.
///
/// Exit codes: 0 nothing is wrong, 1 something is wrong or could not be checked, 2 bad usage.
#[derive(Args)]
#[command(after_help = GuidePage::Master.line())]
pub(super) struct CheckArguments {
    /// Agent to check: a folder, an archive of one, or an executable file.
    agent: PathBuf,
    #[command(flatten)]
    rules: LeagueOptions,
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// Show details for every step, not only for those that are not ok.
    #[arg(long, short)]
    verbose: bool,
    /// Print only the steps, as JSON.
    #[arg(long)]
    json: bool,
}

/// Maximum number of findings shown per step without --verbose.
const MOST_SHOWN: usize = 2;

/// An agent's walk through its protocol: the output of `master check --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Checked<'a> {
    /// Path of the agent.
    agent: &'a str,
    /// Name of the league.
    league: &'a str,
    /// Method of measuring CPU time.
    tier: String,
    limits: AgentLimits,
    /// True if every step was done and nothing is wrong.
    passed: bool,
    /// The steps, in order.
    steps: &'a [CheckStep],
}

pub(super) fn run(arguments: &CheckArguments) -> Result<()> {
    let requested = arguments.rules.league()?;
    if let Err(error) = arguments.agent.metadata() {
        return Err(BadInput::new(format!("{}: {error}", arguments.agent.display())).into());
    }
    let (sandbox, _) = arguments.sandbox.sandbox(Purpose::Private, &[&arguments.agent])?;
    games_at_once(&sandbox, &requested, NonZeroUsize::MIN);
    let league = requested.here(&sandbox);
    let folder = tempfile::tempdir().context("cannot create a folder for the check")?;
    let workspace = Workspace { sandbox: &sandbox, folder: folder.path(), kept: folder.path() };
    if !arguments.json {
        stdout_line(format_args!("An agent may use {}.", league.limits))?;
    }
    let mut unprinted = None;
    let mut watch = |step: &CheckStep| {
        if !arguments.json && unprinted.is_none() {
            unprinted = stdout_drawing(step_text(step, paint(), arguments.verbose)).err();
        }
    };
    let steps = check(workspace, &league, &arguments.agent, &mut watch, &Running::alone())?;
    if let Some(error) = unprinted {
        return Err(error);
    }
    let count = |status: Status| steps.iter().filter(|step| step.status == status).count();
    let (wrong, notes, skipped) = (count(Status::Wrong), count(Status::Note), count(Status::Skipped));
    if arguments.json {
        let (agent, tier) = (&*arguments.agent.to_string_lossy(), requested.measurement(&sandbox));
        let checked = Checked {
            agent,
            league: &league.name,
            tier,
            limits: league.limits,
            passed: wrong + skipped == 0,
            steps: &steps,
        };
        stdout_json(serde_json::to_string_pretty(&checked)?)?;
    }
    anyhow::ensure!(wrong == 0, "{wrong} of {} steps failed{}", steps.len(), also(skipped, "skipped"));
    anyhow::ensure!(skipped == 0, "{skipped} of {} steps were skipped", steps.len());
    if !arguments.json {
        let noted = also(notes, "with a note, which costs nothing");
        stdout_line(format_args!("All {} steps passed{noted}.", steps.len()))?;
    }
    Ok(())
}

/// Formats a count of other steps, if there are any.
fn also(steps: usize, what: &str) -> String {
    if steps == 0 { String::new() } else { format!(", {steps} {what}") }
}

fn step_text(step: &CheckStep, paint: Paint, verbose: bool) -> String {
    let status = format!("{:8}", step.status);
    let status = match (paint, step.status) {
        (Paint::Plain, _) | (_, Status::Skipped) => status,
        (Paint::Colored, Status::Ok) => format!("\u{1b}[32m{status}\u{1b}[0m"),
        (Paint::Colored, Status::Note) => format!("\u{1b}[33m{status}\u{1b}[0m"),
        (Paint::Colored, Status::Wrong) => format!("\u{1b}[1;31m{status}\u{1b}[0m"),
    };
    let mut text = format!("{status}{} {}", step.section, escaped_lines(&step.title));
    let mut add = |lines: &str| lines.lines().for_each(|line| text += &format!("\n        {line}"));
    if verbose || step.status != Status::Ok {
        add(&escaped_lines(&step.did));
    }
    if verbose {
        add(&format!("{:.3} s CPU, {:.3} s wall", step.spent.cpu.as_secs_f64(), step.spent.wall.as_secs_f64()));
    }
    step.notes.iter().for_each(|note| add(&format!("note: {}", escaped_lines(note))));
    let shown = if verbose { step.findings.len() } else { MOST_SHOWN };
    for finding in step.findings.iter().take(shown) {
        add(&finding.in_words(paint));
    }
    if let more @ 1.. = step.findings.len().saturating_sub(shown) {
        add(&format!("and {more} more; --verbose shows them"));
    }
    text
}
