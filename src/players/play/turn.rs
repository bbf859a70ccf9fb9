//! Turn of the checkers agent, played through files (§2): reads the request, allocates time, searches and writes the
//! answer.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::choice::{Choice, Why};
use super::params::MOST_EVALUATION;
use super::side_file::SideFile;
use super::time_budget::TimeBudget;
use super::time_manager::{TimeManager, TurnDemand};
use crate::exit::ExitStatus;
use crate::files::{read_at_most, read_text, write_whole};
use crate::protocol::turn_files::{
    CALIBRATION, Calibration, INPUT, InputError, Mode, OUTPUT, PLAYDATA, Playdata, TimedTurn, TurnRequest,
    is_answer_line, line_slip, write_answer,
};
use kingline::checkers::{Position, Route};
use kingline::clock::Clock;
use kingline::draw;
use kingline::evaluate::checkers::Evaluation;
use kingline::game::{Evaluator, Game, History};
use kingline::knowledge::tablebase::{TableError, Tablebase};
use kingline::search::{Params, Report, Searcher};

/// Turn taken by the agent.
#[derive(Clone, Debug)]
pub struct TakenTurn {
    /// Position in which the agent had to move.
    pub position: Position,
    /// Turn as written to output.txt.
    pub route: Route,
    /// Reason for this turn.
    pub why: Why<Position>,
    /// Warnings about odd or unusable input that did not prevent a move, one sentence each.
    pub warnings: Vec<String>,
}

impl fmt::Display for TakenTurn {
    /// Writes the warnings, the board, and `White plays a3-b4   (+0.11; depth 30, 23734105 nodes)`, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TakenTurn { position, route, why, warnings } = self;
        for warning in warnings {
            writeln!(f, "warning: {warning}")?;
        }
        let board = draw::framed(position, &draw::CHECKERS);
        write!(f, "{board}\n{} plays {route}   ({why})", position.turn())
    }
}

/// Reason why the agent took no turn.
#[derive(Debug, Error)]
pub enum AgentError {
    /// input.txt cannot be read, or is not a request.
    #[error("{0}")]
    Input(InputError),
    /// The side to move has no legal move: the game is over.
    #[error("the game is over: {} is to move and has no legal move, so {} has won", .0.turn(), !.0.turn())]
    GameOver(Position),
    /// output.txt cannot be written.
    #[error("{0:#}")]
    Output(anyhow::Error),
}

impl AgentError {
    /// Exit status of a program that took no turn.
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            AgentError::Output(_) => ExitStatus::Failed,
            AgentError::Input(_) => ExitStatus::BadInput,
            AgentError::GameOver(_) => ExitStatus::GameOver,
        }
    }

    /// Deletes an output.txt that a referee would take for the answer to an input.txt that has none. Other files stay.
    pub(super) fn delete_stale_answer(&self, directory: &Path) {
        let is_unanswered = match self {
            AgentError::Input(error) => !error.is_missing(),
            AgentError::GameOver(_) => true,
            AgentError::Output(_) => false,
        };
        let path = directory.join(OUTPUT);
        let is_turn = |text: String| {
            !text.trim().is_empty() && text.lines().all(|line| is_answer_line(line) || line_slip(line).is_some())
        };
        if is_unanswered && read_text(&path).is_ok_and(is_turn) {
            // If it cannot be deleted, the error about the input is the one to report.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Takes one turn in `directory`: reads its input.txt, writes its output.txt and, in a game, its playdata.txt. Calls
/// `watch` after every iteration of the search. Time is the CPU time of the process. On a system without that clock,
/// wall time from this call on counts instead, with a warning.
///
/// # Errors
/// See [`AgentError`]. output.txt is then unchanged, or deleted if it is a turn that input.txt did not ask for.
pub fn take_turn(directory: &Path, watch: &mut dyn FnMut(&Report<Position>)) -> Result<TakenTurn, AgentError> {
    take_turn_by(Clock::of_process(), directory, watch).inspect_err(|error| error.delete_stale_answer(directory))
}

/// Takes a turn timed by `clock`. The turn's warnings include `warning`, if there is one.
fn take_turn_by(
    (clock, warning): (Clock, Option<&str>),
    directory: &Path,
    watch: &mut dyn FnMut(&Report<Position>),
) -> Result<TakenTurn, AgentError> {
    let request = TurnRequest::read(&directory.join(INPUT)).map_err(AgentError::Input)?;
    let position = request.position;
    let mut warnings = request.warnings.clone();
    warnings.extend(warning.map(str::to_owned));
    let calibration = Calibration::load(&directory.join(CALIBRATION), &mut warnings);
    let mut playdata = match request.mode {
        Mode::Single => Playdata::fresh(request.position),
        Mode::Game => Playdata::load(&directory.join(PLAYDATA), request.position, &mut warnings),
    };
    playdata.learn(request.left);
    let budget = TimeBudget::new(&request, &calibration, &playdata);
    let before = clock.now();
    let chosen = match only_turn(&position) {
        // Needs no files.
        Some(only) => Some(only),
        None => search_with_files(directory, &calibration, &playdata.history, (budget, clock), &mut warnings, watch),
    };
    let Choice { best, why } = chosen.ok_or(AgentError::GameOver(position))?;
    let thought = clock.now().saturating_sub(before);
    let route = Route::of(&position, best);
    write_whole(&directory.join(OUTPUT), write_answer(&route).as_bytes()).map_err(AgentError::Output)?;
    if request.mode == Mode::Game {
        let read = clock.now();
        let mut after = playdata.after(best, why.score(), read);
        after.charges = after.charges.after(TimedTurn { left: request.left, thought, read });
        if let Err(error) = after.save(&directory.join(PLAYDATA)) {
            // The move stands, but the next turn knows less about the game.
            warnings.push(format!("{error:#}"));
        }
    }
    Ok(TakenTurn { position, route, why, warnings })
}

/// Chooses a turn with the tables and the evaluation that calibration.txt names; `None` if no turn is legal. Adds the
/// reasons why one of them is unusable to `warnings`.
fn search_with_files(
    directory: &Path,
    calibration: &Calibration,
    history: &History<Position>,
    (budget, clock): (TimeBudget, Clock),
    warnings: &mut Vec<String>,
    watch: &mut dyn FnMut(&Report<Position>),
) -> Option<Choice<Position>> {
    // A relative path starts at the agent's directory.
    let named = calibration.tables.as_deref().map(|path| directory.join(path));
    let named = named.as_deref();
    let side = named.and_then(|path| or_warn(SideFile::map(path), path, warnings));
    let tables = side.as_ref().zip(named).and_then(|(side, path)| or_warn(side.tables(), path, warnings));
    let tablebase = Tablebase::with_embedded(tables.as_ref());
    let evaluation = evaluation(directory, calibration, warnings);
    let engine = Engine { evaluation, params: Params::default(), tables: &tablebase };
    let choice = choose(history, engine, budget, clock, Duration::ZERO, watch);
    if let Some((broken, path)) = tablebase.broken().zip(named) {
        warnings.push(format!("the endgame tables in {path:?} are broken: {broken}; ignored"));
    }
    choice
}

/// Loads the evaluation that calibration.txt names. If it is unusable, adds the reason to `warnings` and returns the
/// embedded one.
fn evaluation(directory: &Path, calibration: &Calibration, warnings: &mut Vec<String>) -> Evaluation {
    let Some(named) = &calibration.evaluation else { return Evaluation::default() };
    let path = directory.join(named);
    let read = read_at_most(&path, MOST_EVALUATION).map_err(|error| error.to_string());
    let read = read.and_then(|bytes| Evaluation::read(&bytes).map_err(|error| error.to_string()));
    read.unwrap_or_else(|error| {
        // Quoted, since the name comes from a file and may contain anything.
        warnings.push(format!("the evaluation in {path:?} is ignored, and the built-in one is used: {error}"));
        Evaluation::default()
    })
}

/// Returns the opened tables. If they could not be opened, adds the reason to `warnings` and returns `None`.
fn or_warn<T>(opened: Result<T, TableError>, path: &Path, warnings: &mut Vec<String>) -> Option<T> {
    opened
        .map_err(|error| {
            // Quoted, since the name comes from a file and may contain anything.
            warnings.push(format!("the endgame tables in {path:?} are ignored: {error}"));
        })
        .ok()
}

/// Evaluation, parameters and tables that determine the choice of a turn.
#[derive(Clone, Debug)]
pub struct Engine<'a, 't, E> {
    /// Evaluation of positions.
    pub evaluation: E,
    /// Parameters of the search.
    pub params: Params,
    /// Endgame tables.
    pub tables: &'a Tablebase<'t>,
}

/// Returns the only legal turn; `None` if there are several, or none.
fn only_turn(position: &Position) -> Option<Choice<Position>> {
    match *position.legal_moves() {
        [best] => Some(Choice { best, why: Why::OnlyMove }),
        _ => None,
    }
}

/// Chooses a turn; `None` if no turn is legal. Endgame tables that contain the position answer at once; otherwise a
/// search does. `began` is the reading of `clock` at the start of the turn.
pub fn choose<E: Evaluator<Position>>(
    history: &History<Position>,
    engine: Engine<'_, '_, E>,
    budget: TimeBudget,
    clock: Clock,
    began: Duration,
    watch: &mut dyn FnMut(&Report<Position>),
) -> Option<Choice<Position>> {
    let Engine { evaluation, params, tables } = engine;
    let position = history.position();
    if let Some(only) = only_turn(&position) {
        return Some(only);
    }
    let &first = position.legal_moves().first()?;
    let probes = budget.probes(clock.now().saturating_sub(began));
    if let Ok(choice) = tables.choose(history, &Evaluation::default(), probes) {
        return Some(Choice { best: choice.mv, why: Why::Known(choice.value) });
    }
    let searcher = Searcher::new(evaluation).with_params(params).with_table_limit(budget.table_bytes());
    let mut observer = |report: &Report<Position>| {
        watch(report);
        ControlFlow::Continue(())
    };
    let mut manager = TimeManager::new(TurnDemand::new(budget), budget.most, (clock, began), &mut observer);
    let report = searcher.with_knowledge(tables).search(history, manager.limits(), &mut manager);
    Some(Choice { best: report.best.unwrap_or(first), why: Why::Searched(report) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn_files::read_answer;

    #[test]
    fn without_a_cpu_clock_wall_time_limits_a_turn() {
        let folder = tempfile::tempdir().unwrap();
        let board = ".b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
        std::fs::write(folder.path().join(INPUT), format!("GAME\nBLACK\n0.2\n{board}")).unwrap();
        let missing = (Clock::wall(), Some("no CPU clock"));
        let turn = take_turn_by(missing, folder.path(), &mut |_| ()).unwrap();
        assert_eq!(turn.warnings, ["no CPU clock"]);
        let took = missing.0.now();
        assert!(took < Duration::from_secs(10), "{took:?}");
        let playdata = read_text(&folder.path().join(PLAYDATA)).unwrap();
        let spent = playdata.lines().find_map(|line| line.trim().strip_prefix("\"spent_seconds\": ")).unwrap();
        let spent: f64 = spent.trim_end_matches(',').parse().unwrap();
        assert!(spent > 0.0 && spent <= took.as_secs_f64(), "{spent}");
        read_answer(&read_text(&folder.path().join(OUTPUT)).unwrap(), &turn.position).unwrap();
    }
}
