//! `reference`: the plain minimax against which agents are graded, with the same files as `homework`.

use std::process::ExitCode;

use kingline_players::play::arguments::{self, ReferenceArguments as Arguments};
use kingline_players::play::reference;
use kingline_players::terminal::stderr_line;

fn main() -> ExitCode {
    let arguments: Arguments = arguments::parsed();
    match reference::take_turn(&arguments.directory, arguments.seed, arguments.cost()) {
        Ok(warnings) => {
            warnings.iter().for_each(|warning| stderr_line(format_args!("warning: {warning}")));
            ExitCode::SUCCESS
        }
        Err(error) => {
            stderr_line(format_args!("reference: {error}"));
            error.exit_status().into()
        }
    }
}
