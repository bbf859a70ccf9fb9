//! `loa`: Lines of Action by text commands, in the dialects of two editions of a course.

#[cfg(feature = "display")]
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser};
use kingline::evaluate::loa::Evaluation;
#[cfg(feature = "display")]
use kingline_players::display::{self, Input};
use kingline_players::play::arguments::{self, LoaArguments as Arguments};
use kingline_players::play::{ConsoleEnd, StreamError};
use kingline_players::terminal::stderr_line;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments::given()) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match play(&arguments) {
        Ok(end) => end.exit_status().into(),
        Err(error) if error.downcast_ref().is_some_and(StreamError::is_unread) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("loa: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: &Arguments) -> Result<ConsoleEnd> {
    #[cfg(not(feature = "display"))]
    if arguments.display {
        anyhow::bail!("--display is not in this build; help: run `cargo build --release --features display`");
    }
    let mut console = arguments.console()?;
    let evaluation = arguments.evaluation().unwrap_or_else(|error| {
        stderr_line(format_args!("loa: {error:#}; the built-in evaluation is used"));
        Evaluation::default()
    });
    let mut session = arguments.session().with_evaluation(evaluation);
    let strictness = arguments.strictness();
    #[cfg(feature = "display")]
    if arguments.display {
        let from = if arguments.input == Path::new("-") { Input::Terminal } else { Input::File };
        return display::run(console, &mut session, strictness, from, arguments.port);
    }
    Ok(console.run(&mut session, strictness)?)
}

/// Prints a usage error, always with the usage line. Also prints help, which is not an error.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        arguments::refuse(error);
    }
    let (text, usage) = (error.to_string(), Arguments::command().render_usage().to_string());
    stderr_line(text.trim_end());
    if !text.contains(&usage) {
        stderr_line(usage);
    }
    ExitCode::FAILURE
}
