//! The engine behind the two functions.
//!
//! Commands are answered during a search as well: settings have a lock of their own, and count from the next search on.

#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kingline::checkers::{Move, Position};
use kingline::game::{DrawReason, Ending, Evaluator, Game, History, ParseError, Rules, Value};
use kingline::knowledge::tablebase::ProbeError;
use kingline::score::Score;
use kingline::search::{Limits, Observer, Report};
use kingline_players::play::{BoardEngine, EngineSettings, MoveTime, Setting, number};

use super::history::{GameHistory, MOST_MOVES};
use super::time::TimeControl;

/// Page with help, which belongs into the folder of the engines.
const HELP: &str = "kingline.htm";
const PROTOCOL: &str = "2";
/// Number of American checkers.
const GAME: &str = "21";
/// Number of best moves that are listed; no position has more moves.
const ALL_MOVES: usize = kingline::game::MAX_MOVES;

/// Result of a game as far as the engine is certain of it, for the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The game is drawn.
    Draw,
    /// The game will be won.
    Win,
    /// The game will be lost.
    Loss,
    /// Nothing is certain.
    Unknown,
}

/// A position for which a move is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// Time for the move.
    pub time: TimeControl,
    /// True if the memory of earlier searches is of no use.
    pub is_new_game: bool,
}

/// The caller's side of a search.
pub trait Watcher {
    /// Returns true if the move is wanted at once.
    fn is_move_wanted(&self) -> bool;
    /// Shows a text.
    fn show(&mut self, text: &str);
}

/// The engine.
#[derive(Default)]
pub struct Engine {
    shared: Mutex<Shared>,
    player: Mutex<BoardEngine>,
}

#[derive(Clone, Default)]
struct Shared {
    settings: EngineSettings,
    /// True if the player does not have these settings yet.
    has_changed: bool,
    shows_all_scores: bool,
    nodes: Option<NonZero<u64>>,
    game: GameHistory,
}

/// The reason why a command cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The engine does not have the command.
    Unknown,
    /// An argument is wrong, or what it names cannot be used.
    Wrong(String),
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Refusal {
        Refusal::Wrong(error.to_string())
    }
}

impl Engine {
    /// Follows a command, and returns the reply.
    ///
    /// # Errors
    /// See [`Refusal`]; nothing has changed then.
    pub fn follow(&self, command: &str) -> Result<String, Refusal> {
        let mut shared = self.shared();
        let version = env!("CARGO_PKG_VERSION");
        let (word, rest) = split(command);
        Ok(match word {
            "about" => {
                format!("kingline {version}\nAmerican checkers, with a learned evaluation and endgame tables")
            }
            "help" => HELP.to_owned(),
            "name" => format!("kingline {version}"),
            "get" => shared.get(rest)?,
            "set" => {
                let (name, value) = split(rest);
                shared.set(name, value)?
            }
            "staticevaluation" => {
                let (position, evaluation) = (rest.parse()?, shared.settings.evaluation());
                evaluation.evaluate(&evaluation.start(&position), &position).to_string()
            }
            // Without the game, the value is that of a position with no quiet turn before it.
            "dblookup" => {
                let position: Position = rest.parse()?;
                if let Some(oddity) = position.oddities(|square| square.number().to_string()).first() {
                    return Err(Refusal::Wrong(format!("no value: {oddity}")));
                }
                match shared.settings.tablebase().value(&position, Rules::Game) {
                    Ok(value) => in_words(value),
                    Err(ProbeError::NotTabled) => "not in the tables".to_owned(),
                    Err(error) => return Err(Refusal::Wrong(error.to_string())),
                }
            }
            _ => return Err(Refusal::Unknown),
        })
    }

    /// Chooses a move, and claims a result; without a legal move, a loss. The game history counts once.
    pub fn choose(&self, request: &Request, watcher: &mut impl Watcher) -> (Option<Move>, Claim) {
        let mut player = self.player();
        let shared = {
            let mut shared = self.shared();
            let now = shared.clone();
            (shared.has_changed, shared.game) = (false, GameHistory::default());
            now
        };
        if shared.has_changed {
            *player = BoardEngine::new(shared.settings);
        } else if request.is_new_game {
            player.forget();
        }
        let history = shared.game.up_to(request.position);
        let (best, claim) = match player.tabled(&history).filter(|_| !shared.shows_all_scores) {
            Some(known) => {
                watcher.show(&format!(
                    "endgame tables: {}  pv {}",
                    in_words(known.value),
                    request.position.notation(known.mv)
                ));
                (Some(known.mv), claim_by_table(known.value, &history))
            }
            None => match player.only_move(&history).filter(|_| !shared.shows_all_scores) {
                Some(only) => {
                    watcher.show(&format!("the only move: {}", request.position.notation(only)));
                    (Some(only), Claim::Unknown)
                }
                None => {
                    let lines = if shared.shows_all_scores { ALL_MOVES } else { 1 };
                    search(&mut player, &history, request, (shared.nodes, lines), watcher)
                }
            },
        };
        let Some(best) = best else {
            watcher.show("no legal move");
            return (None, Claim::Loss);
        };
        (Some(best), after(history, best).unwrap_or(claim))
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The player; a new one if an earlier search broke off.
    fn player(&self) -> MutexGuard<'_, BoardEngine> {
        self.player.lock().unwrap_or_else(|poisoned| {
            let mut player = poisoned.into_inner();
            player.forget();
            self.player.clear_poison();
            player
        })
    }
}

impl Shared {
    fn get(&self, name: &str) -> Result<String, Refusal> {
        Ok(match name {
            "protocolversion" => PROTOCOL.to_owned(),
            "gametype" => GAME.to_owned(),
            "allscores" => u8::from(self.shows_all_scores).to_string(),
            "nodes" => self.nodes.map_or(0, NonZero::get).to_string(),
            name => self.settings.value(setting(name)?),
        })
    }

    fn set(&mut self, name: &str, value: &str) -> Result<String, Refusal> {
        Ok(match name {
            "allscores" => {
                self.shows_all_scores = number(value, 0..=1)? == 1;
                format!("all scores {}", if self.shows_all_scores { "on" } else { "off" })
            }
            "nodes" => {
                self.nodes = NonZero::new(number(value, 0..=u64::MAX)?);
                self.nodes.map_or("no limit of nodes".to_owned(), |nodes| format!("nodes set to {nodes}"))
            }
            "gamehist" => {
                self.game = GameHistory::read(value);
                "game history set".to_owned()
            }
            name => {
                let setting = setting(name)?;
                self.settings.set(setting, value).map_err(|error| Refusal::Wrong(format!("{error:#}")))?;
                self.has_changed = true;
                let value = self.settings.value(setting);
                match setting {
                    Setting::Hash => format!("hash size set to {value} MiB"),
                    Setting::Threads => format!("threads set to {value}"),
                    Setting::Tables | Setting::Evaluation => "endgame tables set".to_owned(),
                }
            }
        })
    }
}

fn setting(name: &str) -> Result<Setting, Refusal> {
    match name {
        "hashsize" => Ok(Setting::Hash),
        "searchthreads" => Ok(Setting::Threads),
        "dbpath" => Ok(Setting::Tables),
        _ => Err(Refusal::Unknown),
    }
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn search(
    player: &mut BoardEngine,
    history: &History<Position>,
    request: &Request,
    (nodes, lines): (Option<NonZero<u64>>, usize),
    watcher: &mut impl Watcher,
) -> (Option<Move>, Claim) {
    let began = Instant::now();
    let time = match (nodes, request.time) {
        (Some(_), _) => None,
        (None, TimeControl::Exact(time)) => Some(MoveTime::exact(time)),
        (None, TimeControl::Average(time)) => Some(MoveTime::about(time)),
        (None, TimeControl::Clock { left, increment }) => Some(MoveTime::on_clock(left, increment, None)),
    };
    let limits = Limits { nodes: nodes.map(NonZero::get), lines, ..Limits::default() };
    let mut watch = Watch { watcher, position: request.position, began };
    let report = player.search(history, limits, time.map(|time| (time, began)), &mut watch);
    // A search may end before its first iteration.
    watch.show(&report);
    (report.best, claim_by_score(report.score))
}

struct Watch<'a, W> {
    watcher: &'a mut W,
    position: Position,
    began: Instant,
}

impl<W: Watcher> Watch<'_, W> {
    fn show(&mut self, report: &Report<Position>) {
        let took = self.began.elapsed();
        self.watcher.show(&match report.lines.len() {
            0 | 1 => iteration(&self.position, report, took),
            _ => all_scores(&self.position, report),
        });
    }
}

impl<W: Watcher> Observer<Position> for Watch<'_, W> {
    fn poll(&mut self) -> ControlFlow<()> {
        if self.watcher.is_move_wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn iteration(&mut self, report: &Report<Position>) -> ControlFlow<()> {
        self.show(report);
        self.poll()
    }
}

fn claim_by_score(score: Score) -> Claim {
    match score {
        won if won.is_win() => Claim::Win,
        lost if lost.is_loss() => Claim::Loss,
        _ => Claim::Unknown,
    }
}

/// Claim by the endgame tables. A draw is claimed only if neither side has made progress for long, since the
/// opponent may still err.
fn claim_by_table(value: Value, history: &History<Position>) -> Claim {
    match value {
        Value::Win(_) => Claim::Win,
        Value::Loss(_) => Claim::Loss,
        Value::Draw if usize::from(history.quiet_turns()) >= MOST_MOVES => Claim::Draw,
        Value::Draw => Claim::Unknown,
    }
}

/// Claim about a game that ends with this move.
fn after(mut history: History<Position>, best: Move) -> Option<Claim> {
    history.play(best);
    match history.ending() {
        Some(Ending::Win(_)) => Some(Claim::Win),
        Some(Ending::Draw(DrawReason::Repetition)) => Some(Claim::Draw),
        _ => None,
    }
}

/// Describes an iteration, after this time: depth, score, nodes, time, speed, and the expected play.
fn iteration(position: &Position, report: &Report<Position>, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
    let line = position.line(&report.principal_variation);
    let Report { depth, score, nodes, .. } = report;
    format!("depth {}  score {score}  nodes {nodes}  time {seconds:.2} s  {speed:.2} Mnps  pv {line}", depth.0)
}

/// Lists the moves with their scores, the best first.
fn all_scores(position: &Position, report: &Report<Position>) -> String {
    let moves = report.lines.iter().filter_map(|line| {
        let first = line.moves.first()?;
        Some(format!("{} {}", position.notation(*first), line.score))
    });
    format!("depth {}  {}", report.depth.0, moves.collect::<Vec<_>>().join(", "))
}

fn in_words(value: Value) -> String {
    match value {
        Value::Draw => "draw".to_owned(),
        Value::Win(plies) => format!("win, a capture or crowning within {plies} plies"),
        Value::Loss(plies) => format!("loss, a capture or crowning within {plies} plies"),
    }
}
