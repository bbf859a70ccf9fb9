//! The commands of `master`, their options, and what they print.

mod check;
mod cost;
mod doctor;
mod grade;
mod live;
mod options;
mod play;
mod report;
mod screen;
mod tournament;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::terminal::{is_broken_pipe, stderr_line};

/// Runs untrusted game-playing agents against each other, judges every move, grades them, holds tournaments.
///
/// An agent is a folder with an executable `homework` (or `loa6`, `loa`) or a `run.sh`, or one executable file. It runs
/// as another user, without network, in a working directory of its own; `master doctor` says how well that works here.
///
/// Exit codes: 0 done, 1 something failed, 2 bad usage or input.
#[derive(Parser)]
#[command(name = "master", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

// What help says of a command is told with its arguments: a comment here would hide it.
#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Check(check::Arguments),
    Grade(grade::Arguments),
    Tournament(tournament::Arguments),
    Report(report::Arguments),
    Doctor(doctor::Arguments),
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Play(arguments) => play::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
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
