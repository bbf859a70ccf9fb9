//! `loa`: Lines of Action by text commands, in the dialects of two editions of a course.

#[cfg(feature = "display")]
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser};
use kingline::help::GuidePage;
use kingline::play::{Console, ConsoleEnd, Session, StreamError, Strictness, used_files};
use kingline::protocol::commands::{Dialect, Pace};
use kingline::terminal::stderr_line;

/// Plays Lines of Action by text commands; the command `help` lists them.
///
/// The input, the output and the log are three different files.
///
/// Exit codes: 0 done, 1 a file cannot be opened or written, or bad usage, 2 an error with --strict.
#[derive(Parser)]
#[command(name = "loa", version, after_help = GuidePage::Loa.line())]
struct Arguments {
    /// The edition of the course whose commands are understood: 2020 or 2015.
    #[arg(long, value_name = "EDITION", default_value = "2020", value_parser = Dialect::named)]
    dialect: &'static Dialect,
    /// Accepted and ignored, since skeletons of the course have it.
    #[arg(long, value_name = "N")]
    debug: Option<i64>,
    /// Show the board in a browser, beside the commands in the terminal.
    #[arg(long)]
    display: bool,
    /// Port of the board in the browser. Default: 6280, or another one if that is taken.
    #[arg(long, value_name = "N", requires = "display")]
    port: Option<u16>,
    /// Write all commands and automatic moves to FILE.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// End at the first error, with exit code 2.
    #[arg(long)]
    strict: bool,
    /// Wall-clock seconds for each automatic move, above 0, at most 3600. Default: a share of 4 s that each side has for a game.
    #[arg(long, value_name = "SECONDS", value_parser = Pace::constant, overrides_with = "time")]
    time: Option<Pace>,
    /// File that commands are read from; `-` is standard input.
    #[arg(value_name = "INPUT-FILE", default_value = "-")]
    input: PathBuf,
    /// File that the output is written to; `-` is standard output.
    #[arg(value_name = "OUTPUT-FILE", default_value = "-")]
    output: PathBuf,
}

fn main() -> ExitCode {
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match play(&arguments) {
        Ok(end) => end.exit_code(),
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
        anyhow::bail!("--display: not in this build; `cargo build --release --features display` makes one that has it");
    }
    let (input, output, log) = (&arguments.input, &arguments.output, arguments.log.as_deref());
    let mut console = Console::open(input, output, log)?;
    let mut session = Session::new(arguments.dialect, arguments.time).with_used_files(used_files(input, output, log));
    let strictness = if arguments.strict { Strictness::EndAtError } else { Strictness::GoOn };
    #[cfg(feature = "display")]
    if arguments.display {
        return display(arguments, console, &mut session, strictness);
    }
    Ok(console.run(&mut session, strictness)?)
}

#[cfg(feature = "display")]
fn display(
    arguments: &Arguments,
    console: Console<'static>,
    session: &mut Session,
    strictness: Strictness,
) -> Result<ConsoleEnd> {
    use kingline::display::{Input, run};
    let from = if arguments.input == Path::new("-") { Input::Terminal } else { Input::File };
    run(console, session, strictness, from, arguments.port)
}

/// Bad usage, always with the usage line; or help, which is no error.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let (text, usage) = (error.to_string(), Arguments::command().render_usage().to_string());
    stderr_line(text.trim_end());
    if !text.contains(&usage) {
        stderr_line(usage);
    }
    ExitCode::FAILURE
}
