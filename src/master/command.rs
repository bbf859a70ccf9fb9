//! The commands of `master`: their arguments, and what they print.

mod appeal;
pub(crate) mod check;
mod doctor;
mod grade;
mod intake;
mod live;
mod options;
#[cfg(not(feature = "display"))]
#[path = "command/no_page.rs"]
mod page;
#[cfg(feature = "display")]
mod page;
mod play;
pub(crate) mod report;
mod screen;
mod temporary;
pub(crate) mod tournament;
pub(crate) mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::temporary::TemporaryFiles;
use kingline_players::exit::ExitStatus;
use kingline_players::help::GuidePage;
use kingline_players::play::arguments::parsed;

/// Runs untrusted game-playing agents against each other, judges every move, grades agents, and holds tournaments.
///
/// An agent is one executable file, or a folder with an executable `homework` (or `loa6`, `loa`) or a `run.sh`. It runs
/// as another user, without network, in its own working directory; `master doctor` shows what this machine supports.
///
/// Exit codes: 0 done, 1 something failed, 2 bad usage or input; some commands add to these.
#[derive(Parser)]
#[command(name = "master", version, after_help = GuidePage::Master.line())]
struct MasterArguments {
    #[command(subcommand)]
    command: MasterCommand,
}

// Help texts are on the Arguments types; a doc comment here would override them.
#[derive(Subcommand)]
enum MasterCommand {
    Play(play::PlayArguments),
    Check(check::CheckArguments),
    Grade(grade::GradeArguments),
    Appeal(appeal::AppealArguments),
    Tournament(tournament::TournamentArguments),
    Report(report::ReportArguments),
    Verify(verify::VerifyArguments),
    Doctor(doctor::DoctorArguments),
}

/// Returns the command line with all commands, for generating man pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    MasterArguments::command()
}

/// Runs the command given on the command line.
pub fn run() -> ExitCode {
    let command = parsed::<MasterArguments>().command;
    let _files = TemporaryFiles::make();
    let done = match command {
        MasterCommand::Play(arguments) => play::run(&arguments),
        MasterCommand::Check(arguments) => check::run(&arguments),
        MasterCommand::Grade(arguments) => grade::run(&arguments),
        MasterCommand::Appeal(arguments) => appeal::run(&arguments),
        MasterCommand::Tournament(arguments) => tournament::run(&arguments),
        MasterCommand::Report(arguments) => report::run(&arguments),
        MasterCommand::Verify(arguments) => verify::run(&arguments),
        MasterCommand::Doctor(arguments) => doctor::run(&arguments),
    };
    ExitStatus::of("master", done).into()
}
