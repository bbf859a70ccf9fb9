//! `loa6`: one answer of the 6x6 Lines of Action agent, over standard input and output.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use kingline::clock::Clock;
use kingline_players::play::arguments::{self, Loa6Arguments as Arguments};
use kingline_players::play::loa6;
use kingline_players::protocol::request::{Request, RequestError};
use kingline_players::terminal::stderr_line;

fn main() -> ExitCode {
    let start = Clock::wall_of_process();
    match answer(start, &arguments::parsed::<Arguments>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("loa6: {error}"));
            error.exit_status().into()
        }
    }
}

fn answer(start: Clock, arguments: &Arguments) -> Result<(), RequestError> {
    let request = Request::read(io::stdin())?;
    let live = io::stderr().is_terminal();
    let line = loa6::answer(request, (start, arguments.time), arguments.threads, &mut |text| {
        if live {
            stderr_line(text);
        }
    })?;
    let mut output = io::stdout();
    match output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
        // A closed pipe is not an error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(RequestError::Output(error)),
        _ => Ok(()),
    }
}
