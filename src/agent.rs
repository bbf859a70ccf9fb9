//! One turn of the checkers agent by files (§2): read, plan, search, write.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `input` | what stands in input.txt |
//! | `output` | how a turn is written into output.txt, and read from it |
//! | `playdata` | what this game has been so far |
//! | `calibration` | what is known of this machine |
//! | `plan` | how long a turn may think |
//! | `thought` | when more thought is not worth its cost |
//! | `files` | how files are read and written without surprises |

mod calibration;
mod files;
mod input;
mod output;
mod plan;
mod playdata;
mod thought;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

pub use calibration::{Calibration, Costs, NodesPerSecond};
pub use files::{read_bytes, read_text, write_whole};
pub use input::{InputError, Mode, Request};
pub use output::{AnswerError, read_answer, write_answer};
pub use plan::Plan;
pub use playdata::Playdata;
pub use thought::Thought;

use crate::checkers::{HandWritten, Move, Position, Route};
use crate::clock::Clock;
use crate::game::{Game, History, MoveList};
use crate::search::{Limits, Params, Report, Searcher, Table};

/// File names of the protocol, in the agent's directory.
pub const INPUT: &str = "input.txt";
/// See [`INPUT`].
pub const OUTPUT: &str = "output.txt";
/// See [`INPUT`].
pub const PLAYDATA: &str = "playdata.txt";
/// See [`INPUT`].
pub const CALIBRATION: &str = "calibration.txt";

/// What the agent did in a turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The position it had to move in.
    pub position: Position,
    /// Its turn, as written.
    pub route: Route,
    /// What the search said; none where there was no choice.
    pub report: Option<Report<Position>>,
    /// What was odd, but did not keep it from moving.
    pub warnings: Vec<String>,
}

/// Why there is no turn.
#[derive(Debug)]
pub enum AgentError {
    /// input.txt cannot be read or is not what it should be.
    Input(InputError),
    /// The side to move has no legal move: the game is over.
    GameOver(Position),
    /// output.txt cannot be written.
    Output(anyhow::Error),
}

impl AgentError {
    /// The documented exit code: 1 a file cannot be written, 2 bad input, 3 the game is over.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            AgentError::Output(_) => ExitCode::from(1),
            AgentError::Input(_) => ExitCode::from(2),
            AgentError::GameOver(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Input(error) => write!(f, "{error}"),
            AgentError::GameOver(position) => write!(
                f,
                "the game is over: {} is to move and has no legal move, so {} has won",
                position.turn(),
                !position.turn()
            ),
            AgentError::Output(error) => write!(f, "{error:#}"),
        }
    }
}

impl std::error::Error for AgentError {}

/// Takes one turn in `directory`: reads its input.txt, writes its output.txt and, in a game, its
/// playdata.txt. `watch` sees every iteration of the search.
///
/// # Errors
/// See [`AgentError`]; output.txt is then as it was.
pub fn take_turn(directory: &Path, watch: &mut dyn FnMut(&Report<Position>)) -> Result<Turn, AgentError> {
    let request = Request::read(&directory.join(INPUT)).map_err(AgentError::Input)?;
    let mut warnings = request.warnings.clone();
    let calibration = Calibration::load(&directory.join(CALIBRATION), &mut warnings);
    let playdata = match request.mode {
        Mode::Single => Playdata::fresh(request.position),
        Mode::Game => Playdata::load(&directory.join(PLAYDATA), request.position, &mut warnings),
    };
    let plan = Plan::new(&request, &calibration, &playdata);
    let (mv, report) = choose(&playdata.history, Params::default(), plan, Clock::Process, Duration::ZERO, watch)
        .ok_or(AgentError::GameOver(request.position))?;
    let route = Route::of(&request.position, mv);
    write_whole(&directory.join(OUTPUT), write_answer(&route).as_bytes()).map_err(AgentError::Output)?;
    if request.mode == Mode::Game {
        let after = playdata.after(mv, report.as_ref(), Clock::Process.now());
        if let Err(error) = after.save(&directory.join(PLAYDATA)) {
            // The move stands; the next one knows less of the game.
            warnings.push(format!("{error:#}"));
        }
    }
    Ok(Turn { position: request.position, route, report, warnings })
}

/// The move to make, and what the search said if there was a choice; none without a legal move.
/// `began` is what `clock` showed at the begin of the turn.
pub fn choose(
    history: &History<Position>,
    params: Params,
    plan: Plan,
    clock: Clock,
    began: Duration,
    watch: &mut dyn FnMut(&Report<Position>),
) -> Option<(Move, Option<Report<Position>>)> {
    let mut list = MoveList::new();
    history.position().moves(&mut list);
    let &first = list.first()?;
    if list.len() == 1 {
        return Some((first, None));
    }
    let mut searcher = Searcher::new(HandWritten, params, Table::with_limit(plan.table_bytes()));
    let mut thought = Thought::new(plan, clock, began, watch);
    let report = searcher.search(history, Limits::default(), &mut thought);
    let mv = report.principal_variation.first().copied().unwrap_or(first);
    Some((mv, Some(report)))
}
