//! `review`: games judged move by move.

use std::process::ExitCode;

use clap::Parser;
use kingline::play::arguments;
use kingline::review::ReviewArguments;
use kingline::terminal::{is_broken_pipe, stderr_line};

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
