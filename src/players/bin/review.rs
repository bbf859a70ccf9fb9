//! `review`: games judged move by move.

use std::process::ExitCode;

use clap::Parser;
use kingline_players::exit::ExitStatus;
use kingline_players::play::arguments;
use kingline_players::review::ReviewArguments;

fn main() -> ExitCode {
    match ReviewArguments::parse_from(arguments::given()).run() {
        Ok(status) => status,
        Err(error) => ExitStatus::of("review", Err(error)),
    }
    .into()
}
