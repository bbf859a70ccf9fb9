//! What do the commands of `master` do, and what do they print?

mod check;
mod cost;
mod doctor;
mod grade;
mod intake;
mod live;
mod options;
mod play;
mod report;
mod screen;
mod tournament;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::help::GuidePage;
use crate::terminal::{is_broken_pipe, stderr_line};

/// Runs untrusted game-playing agents against each other, judges every move, grades them, and holds tournaments.
///
/// An agent is a folder with an executable `homework` (or `loa6`, `loa`) or a `run.sh`, or one executable file. It runs
/// as another user, without network, in a working directory of its own; `master doctor` says how well that works here.
///
/// Exit codes: 0 done, 1 something failed, 2 bad usage or input; some commands say more.
#[derive(Parser)]
#[command(name = "master", version, after_help = GuidePage::Master.line())]
struct MasterArguments {
    #[command(subcommand)]
    command: MasterCommand,
}

// Help texts stand on each Arguments type; a doc comment here would override them.
#[derive(Subcommand)]
enum MasterCommand {
    Play(play::PlayArguments),
    Check(check::CheckArguments),
    Grade(grade::GradeArguments),
    Tournament(tournament::TournamentArguments),
    Report(report::ReportArguments),
    Verify(verify::VerifyArguments),
    Doctor(doctor::DoctorArguments),
}

/// Runs the command of the command line.
pub fn run() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = crate::manual::write_if_asked::<MasterArguments>() {
        return code;
    }
    let done = match MasterArguments::parse().command {
        MasterCommand::Play(arguments) => play::run(&arguments),
        MasterCommand::Check(arguments) => check::run(&arguments),
        MasterCommand::Grade(arguments) => grade::run(&arguments),
        MasterCommand::Tournament(arguments) => tournament::run(&arguments),
        MasterCommand::Report(arguments) => report::run(&arguments),
        MasterCommand::Verify(arguments) => verify::run(&arguments),
        MasterCommand::Doctor(arguments) => doctor::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("master: {error:#}"));
            if error.is::<options::Unusable>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
