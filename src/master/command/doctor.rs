//! The command `master doctor`.

use std::ffi::OsString;
use std::fmt::Display;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

use super::options::{SandboxOptions, seconds};
use crate::doctor::{examine, program, try_out};
use crate::sandbox::{JobLimits, Sandbox};
use kingline_players::exit::BadInput;
use kingline_players::figures::{FiguresOption, Topic};
use kingline_players::help::GuidePage;
use kingline_players::terminal::{stdout_json, stdout_line};

/// Shows how this machine can confine agents, what is missing, and how to get it.
///
/// With a command, runs it as an agent would be run, and shows how it ended: `master doctor -- /usr/bin/python3 -c
/// 'print(1)'`.
///
/// Exit codes: 0 done, 1 agents cannot be confined here, 2 bad usage.
#[derive(Args)]
#[command(after_help = GuidePage::Sandbox.line())]
pub(super) struct DoctorArguments {
    #[command(flatten)]
    sandbox: SandboxOptions,
    /// CPU seconds that the command may use, above 0.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    time: Duration,
    /// Wall-clock seconds that the command may take, above 0.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    wall: Duration,
    /// MiB of memory that the command may use, at least 16. Default: 4096, or as much as this machine has for an agent.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 30))]
    memory: Option<u64>,
    /// Print only the result, as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    figures: FiguresOption,
    /// Program to run, with its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(super) fn run(arguments: &DoctorArguments) -> Result<()> {
    let policy = arguments.sandbox.policy()?;
    let [name, rest @ ..] = &arguments.command[..] else {
        let diagnosis = examine(&policy)?;
        arguments.show(&diagnosis)?;
        arguments.figures.record(Topic::Referee, diagnosis.figure())?;
        return if diagnosis.survey.is_some() { Ok(()) } else { bail!("agents cannot be confined here") };
    };
    let program = program(name).map_err(|error| BadInput::new(format!("{}: {error}", name.to_string_lossy())))?;
    let usual = JobLimits::default();
    let memory = arguments.memory.map_or(usual.memory, |mib| mib << 20);
    let limits = JobLimits { cpu: Some(arguments.time), wall: arguments.wall, memory, ..usual };
    let run = try_out(&Sandbox::open(&policy)?, program, rest.to_vec(), limits)?;
    arguments.show(&run)?;
    arguments.figures.record(Topic::Referee, [run.figure()])
}

impl DoctorArguments {
    fn show(&self, found: &(impl Serialize + Display)) -> Result<()> {
        if self.json {
            stdout_json(serde_json::to_string_pretty(found)?)
        } else {
            stdout_line(found.to_string().trim_end())
        }
    }
}
