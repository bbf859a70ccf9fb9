use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::chances::{Exact, Worth};
use super::game::{GameRecord, Reviewed};
use super::judge::{Findings, JudgedLine, analyze};
use super::run::{in_parallel, last_worth, result_code};
use super::settings::{PUZZLE_EFFORT, PUZZLE_OTHERS, PUZZLE_PLIES, Settings, SquareNames};
use crate::game_name::GameName;
use kingline::draw::compact;
use kingline::game::{Color, History, Knowledge};

/// A position with one winning move, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Puzzle {
    /// The game.
    pub game: GameName,
    /// Side that moves and wins.
    pub side: Color,
    /// The position in the game's notation, which is FEN in checkers.
    pub position: String,
    /// Board: rows from the top, a letter for each square, as `draw::compact` writes it.
    pub board: String,
    /// The winning move and the expected play after it, to the end or to a position that the tables know.
    pub solution: Vec<Step>,
    /// Worth of the position for the side to move: a certain win in positions from games.
    pub worth: Worth,
    /// The best of the other moves; empty if there is none.
    pub second: String,
    /// Its worth for the side that moves, or that of the best move if there is no other.
    pub second_worth: Worth,
    /// Index of the move in the game that the position comes from; the puzzle is the position before it.
    pub index: usize,
    /// Result in a record without moves, which is a puzzle whatever its worth: `1-0` means that Black should win.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<String>,
}

/// A move of a solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Step {
    /// The move.
    pub mv: String,
    /// The squares that the piece touches: `c3-b4`.
    pub path: String,
    /// Board after it.
    pub board: String,
}

/// Finds the puzzles in a game: positions that are certainly won in five to ten plies, while every other move leaves at
/// most about even chances. A search with ten times the nodes must agree. A record without moves is a puzzle as it stands,
/// unless its game is over.
///
/// `progress` is called with the number of positions done, out of as many as there are moves; it may end the search by
/// returning `false`.
pub fn puzzles<G: Reviewed>(
    record: &G::Record,
    settings: Settings,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Puzzle>> {
    let mut history = History::new(record.start()).under(record.rules());
    let mut histories = Vec::new();
    for (index, &mv) in record.moves().iter().enumerate() {
        histories.push((index, history.clone()));
        history.play(mv);
    }
    let nodes = settings.nodes(G::SPEED);
    if histories.is_empty() {
        return Some(set_puzzle::<G>(record, nodes, settings.names).into_iter().collect());
    }
    let found =
        in_parallel(&histories, threads, |(index, history)| puzzle(*index, history, nodes, settings.names), progress)?;
    let mut puzzles: Vec<Puzzle> = Vec::new();
    for puzzle in found.into_iter().flatten() {
        // A few plies later the same win is no new puzzle.
        if puzzles.last().is_none_or(|last| puzzle.index - last.index > *PUZZLE_PLIES.end()) {
            puzzles.push(puzzle);
        }
    }
    Some(puzzles)
}

/// Makes a puzzle of the current position of a game, if it is one.
fn puzzle<G: Reviewed>(index: usize, history: &History<G>, nodes: u64, names: SquareNames) -> Option<Puzzle> {
    let position = history.position();
    if G::knowledge().probe(&position, history.quiet_turns(), history.rules()).is_some() {
        return None;
    }
    only_win(&analyze(history, nodes))?;
    let findings = analyze(history, nodes.saturating_mul(PUZZLE_EFFORT));
    made(index, &position, only_win(&findings)?, names)
}

/// Makes a puzzle of a record without moves, with the best line for its solution; none if the game is over.
fn set_puzzle<G: Reviewed>(record: &G::Record, nodes: u64, names: SquareNames) -> Option<Puzzle> {
    let mut history = History::new(record.start()).under(record.rules());
    let position = history.position();
    if history.ending().is_some() {
        return None;
    }
    let nodes = nodes.saturating_mul(PUZZLE_EFFORT);
    let mut findings = analyze(&history, nodes);
    if findings.is_empty() {
        // The only legal move, and the best line after it.
        let forced = *position.legal_moves().first()?;
        history.play(forced);
        let next = analyze(&history, nodes);
        let worth = last_worth(&history, &next).plies_later(-1).for_opponent();
        let moves = std::iter::once(forced).chain(next.into_iter().take(1).flat_map(|next| next.moves)).collect();
        findings.push(JudgedLine { worth, estimate: None, moves });
    }
    let best = findings.first().filter(|best| !best.moves.is_empty())?;
    let other = findings.get(1);
    let mut puzzle = made(0, &position, [best, other.unwrap_or(best)], names)?;
    if other.is_none() {
        puzzle.second.clear();
    }
    puzzle.result = Some(result_code(record.result()).to_owned());
    Some(puzzle)
}

fn made<G: Reviewed>(
    index: usize,
    position: &G,
    [best, second]: [&JudgedLine<G>; 2],
    names: SquareNames,
) -> Option<Puzzle> {
    let mut place = *position;
    let solution = best.moves.iter().map(|&mv| {
        let (written, path) = (place.in_names(mv, names), place.by_squares(mv));
        place = place.play(mv);
        Step { mv: written, path, board: compact(&place) }
    });
    Some(Puzzle {
        game: G::NAME,
        side: position.turn(),
        position: position.to_string(),
        board: compact(position),
        solution: solution.collect(),
        worth: best.worth,
        second: position.in_names(*second.moves.first()?, names),
        second_worth: second.worth,
        index,
        result: None,
    })
}

/// Returns the two best moves if only the first wins, in a number of plies that suits a puzzle.
fn only_win<G: Reviewed>(findings: &Findings<G>) -> Option<[&JudgedLine<G>; 2]> {
    let [best, second] = &findings[..] else { return None };
    let plies = best.moves.len();
    let is_complete = match best.worth.exact? {
        Exact::WonIn(distance) => usize::from(distance) == plies,
        exact => matches!(exact, Exact::Won(_)),
    };
    let is_puzzle = is_complete && PUZZLE_PLIES.contains(&plies) && second.worth.chances <= PUZZLE_OTHERS;
    is_puzzle.then_some([best, second])
}

impl Puzzle {
    /// The task: `White to move and win in 7 plies`. Where nothing is proved, the record's result names the aim.
    pub fn task(&self) -> String {
        let side = self.side;
        let won = if side == Color::Black { "1-0" } else { "0-1" };
        match (self.worth.exact, self.result.as_deref()) {
            (Some(Exact::WonIn(plies)), _) => format!("{side} to move and win in {plies} plies"),
            (Some(Exact::Won(_)), _) => format!("{side} to move and win"),
            (Some(Exact::Drawn | Exact::IsDrawn), _) | (None, Some("1/2-1/2")) => format!("{side} to move and draw"),
            (None, Some(result)) if result == won => format!("{side} to move and win"),
            _ => format!("{side} to move"),
        }
    }

    /// Returns `true` if the search has proved that only the first move of the solution wins.
    pub(super) fn is_only_win(&self) -> bool {
        self.worth.chances >= 1.0 && self.second_worth.chances <= PUZZLE_OTHERS
    }

    /// The moves of the solution.
    pub fn moves(&self) -> Vec<&str> {
        self.solution.iter().map(|step| step.mv.as_str()).collect()
    }

    /// The answer in words: the solution, and what it and the next best move are worth.
    pub fn answer(&self) -> String {
        let kind = if self.worth.exact.is_some_and(|exact| matches!(exact, Exact::Won(_))) {
            ", and the tables know the rest"
        } else {
            ""
        };
        format!("{}{kind}. {}", self.moves().join(" "), self.verdict())
    }

    /// Worth of the solution, if it is not proved as a win, and the next best move.
    pub(super) fn verdict(&self) -> String {
        let worth = if self.worth.chances < 1.0 { format!("Worth: {}. ", self.worth) } else { String::new() };
        match self.second.as_str() {
            "" => format!("{worth}No other move is legal."),
            second => format!("{worth}Next best: {second}, {}.", self.second_worth),
        }
    }
}
