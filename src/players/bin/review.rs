//! `review`: games judged move by move.

use std::process::ExitCode;

use kingline_players::exit::ExitStatus;
use kingline_players::play::arguments;
use kingline_players::review::ReviewArguments;

fn main() -> ExitCode {
    match arguments::parsed::<ReviewArguments>().run() {
        Ok(status) => status,
        Err(error) => ExitStatus::of("review", Err(error)),
    }
    .into()
}
