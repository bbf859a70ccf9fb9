//! `loa6`: one answer of the 6x6 Lines of Action agent, by standard input and output.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use kingline::clock::Clock;
use kingline::help::GuidePage;
use kingline::play::loa6;
use kingline::protocol::request::{Request, RequestError};
use kingline::search::Limits;
use kingline::terminal::stderr_line;

/// Answers one request of 6x6 Lines of Action, `identify` or `move`: reads it from standard input, answers on standard
/// output.
///
/// Exit codes: 0 done, 1 the answer cannot be written, 2 bad request or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "loa6", version, after_help = GuidePage::Solved.line())]
struct Arguments {
    /// Wall-clock seconds from the start of the program until the move is decided, above 0, at most 2.
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = thinking_time)]
    time: Duration,
}

fn main() -> ExitCode {
    let start = Clock::Wall(Instant::now());
    #[cfg(feature = "manual")]
    if let Some(code) = kingline::manual::write_if_asked::<Arguments>() {
        return code;
    }
    match answer(Limits::until(start, Arguments::parse().time)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("loa6: {error}"));
            error.exit_code()
        }
    }
}

fn thinking_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 2.0);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds above 0, at most 2".to_owned())
}

fn answer(limits: Limits) -> Result<(), RequestError> {
    let request = Request::read(io::stdin())?;
    let live = io::stderr().is_terminal();
    let line = loa6::answer(request, limits, &mut |text| {
        if live {
            stderr_line(text);
        }
    })?;
    let mut output = io::stdout();
    match output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
        // A closed pipe is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(RequestError::Output(error)),
        _ => Ok(()),
    }
}
