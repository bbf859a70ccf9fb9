//! `review`: games judged move by move.

use std::process::ExitCode;

use clap::Parser;
use kingline_players::play::arguments;
use kingline_players::review::ReviewArguments;
use kingline_players::terminal::{is_broken_pipe, stderr_line};

fn main() -> ExitCode {
    match ReviewArguments::parse_from(arguments::given()).run() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("review: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
