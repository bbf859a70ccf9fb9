use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::chances::{Exact, Worth};
use super::game::{GameRecord, Reviewed};
use super::judge::{Findings, JudgedLine, analyze};
use super::run::in_parallel;
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
    /// Worth of the position for the side to move: a certain win.
    pub worth: Worth,
    /// The best of the other moves.
    pub second: String,
    /// Its worth.
    pub second_worth: Worth,
    /// Index of the move in the game that the position comes from; the puzzle is the position before it.
    pub index: usize,
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
/// most about even chances. A search with ten times the nodes must agree.
///
/// `progress` is called with the number of positions done, out of as many as there are moves; it may end the search by
/// returning `false`.
pub fn puzzles<G: Reviewed>(
    record: &G::Record,
    settings: Settings,
    threads: NonZeroUsize,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Puzzle>> {
    let mut history = History::new(record.start());
    let mut histories = Vec::new();
    for (index, &mv) in record.moves().iter().enumerate() {
        histories.push((index, history.clone()));
        history.play(mv);
    }
    let nodes = settings.nodes(G::SPEED);
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
    if G::knowledge().probe(&position, history.quiet_turns()).is_some() {
        return None;
    }
    only_win(&analyze(history, nodes))?;
    let findings = analyze(history, nodes.saturating_mul(PUZZLE_EFFORT));
    let [best, second] = only_win(&findings)?;
    let mut place = position;
    let solution = best.moves.iter().map(|&mv| {
        let (written, path) = (place.in_names(mv, names), place.by_squares(mv));
        place = place.play(mv);
        Step { mv: written, path, board: compact(&place) }
    });
    Some(Puzzle {
        game: G::NAME,
        side: position.turn(),
        position: position.to_string(),
        board: compact(&position),
        solution: solution.collect(),
        worth: best.worth,
        second: position.in_names(*second.moves.first()?, names),
        second_worth: second.worth,
        index,
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
    /// The task: `White to move and win in 7 plies`.
    pub fn task(&self) -> String {
        match self.worth.exact {
            Some(Exact::WonIn(plies)) => format!("{} to move and win in {plies} plies", self.side),
            _ => format!("{} to move and win", self.side),
        }
    }

    /// The moves of the solution.
    pub fn moves(&self) -> Vec<&str> {
        self.solution.iter().map(|step| step.mv.as_str()).collect()
    }

    /// The answer in words: the solution, and what the next best move is worth.
    pub fn answer(&self) -> String {
        let kind = if self.worth.exact.is_some_and(|exact| matches!(exact, Exact::Won(_))) {
            ", and the tables know the rest"
        } else {
            ""
        };
        format!("{}{kind}. Next best: {}, {}.", self.moves().join(" "), self.second, self.second_worth)
    }
}
