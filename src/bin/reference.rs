//! `reference`: the plain minimax that agents are graded against, by the same files as `homework`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Parser;
use kingline::checkers::Route;
use kingline::files::write_whole;
use kingline::game::Game;
use kingline::play::{AgentError, reference};
use kingline::protocol::turn_files::{INPUT, OUTPUT, Request, write_answer};
use kingline::terminal::stderr_line;
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Reads input.txt, searches to a fixed depth, writes output.txt.
///
/// Exit codes: 0 done, 1 output.txt cannot be written, 2 bad input or usage, 3 the game is over.
#[derive(Parser)]
#[command(name = "reference", version)]
struct Arguments {
    /// Breaks ties between equal moves, with the position; equal seeds play equally. By default the
    /// time of day.
    #[arg(long)]
    seed: Option<u64>,
    /// Where input.txt is, and output.txt is to be.
    #[arg(default_value = ".")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    match take_turn(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr_line(format_args!("reference: {error}"));
            error.exit_code()
        }
    }
}

fn take_turn(arguments: &Arguments) -> Result<(), AgentError> {
    let request = Request::read(&arguments.directory.join(INPUT)).map_err(AgentError::Input)?;
    let position = request.position;
    let seed = arguments.seed.unwrap_or_else(time_of_day);
    let mut rng = StdRng::seed_from_u64(seed ^ position.key());
    let mv = reference::choose(&position, request.left, &mut rng).ok_or(AgentError::GameOver(position))?;
    let answer = write_answer(&Route::of(&position, mv));
    write_whole(&arguments.directory.join(OUTPUT), answer.as_bytes()).map_err(AgentError::Output)
}

fn time_of_day() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
