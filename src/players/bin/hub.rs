//! `hub`: the checkers engine for board programs, by the protocol Hub.

use std::io;
use std::process::ExitCode;

use kingline_players::play::arguments::{self, HubArguments as Arguments};
use kingline_players::play::play_by_hub;

fn main() -> ExitCode {
    arguments::parsed::<Arguments>();
    match play_by_hub(io::stdin().lock(), io::stdout()) {
        // A board program that has ended reads no more answers.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
