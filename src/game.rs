//! What a game is: a small position that is copied to make a move, and all its legal moves.
//!
//! The position is the game. What it does not hold (earlier positions, the count of quiet turns)
//! belongs to the path that led to it: see [`History`].

mod evaluator;
mod history;
mod move_list;
mod tables;
pub(crate) mod zobrist;

use std::fmt::{self, Debug, Display};
use std::ops::Not;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use evaluator::Evaluator;
pub use history::{DrawReason, Ending, History};
pub use move_list::{MAX_MOVES, MoveList};
pub use tables::{NoTables, Tables, Verdict};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    /// Moves first in every game here.
    Black,
    /// Moves second.
    White,
}

/// What a position alone decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Color),
    /// Nobody can win any more.
    Draw,
}

/// What a move does to the history that matters: repetitions and the count of quiet turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The position before it can come back.
    Reversible,
    /// No earlier position can come back, but the turn counts as quiet.
    Irreversible,
    /// No earlier position can come back, and the count of quiet turns starts again at zero.
    Zeroing,
}

/// Rules of a game of two players, perfect information and alternate turns.
pub trait Game: Copy + Eq + Debug + Display + FromStr<Err = ParseError> {
    /// A whole turn.
    type Move: Copy + Eq + Debug + Default;

    /// Number of history slots: [`slot`](Self::slot) is below it.
    const SLOTS: usize;
    /// The game is drawn after this many quiet turns in a row; `None`: never.
    const QUIET_LIMIT: Option<u16>;
    /// The game is drawn when a position is on the board for this time; `None`: never.
    const REPETITION_LIMIT: Option<u8>;
    /// Whether a static evaluation can be trusted everywhere, also where captures are possible.
    const CALM: bool;

    /// The position in which games start.
    fn start() -> Self;
    /// The side to move.
    fn turn(&self) -> Color;
    /// Adds all legal moves to `list`, in an order that depends on the position alone.
    /// None: the side to move has lost.
    fn moves(&self, list: &mut MoveList<Self::Move>);
    /// The position after `mv`, which must come from [`moves`](Self::moves).
    #[must_use]
    fn play(self, mv: Self::Move) -> Self;
    /// What the position alone decides, apart from a lack of moves.
    fn outcome(&self) -> Option<Outcome>;
    /// A hash of the position and the side to move, kept up to date move by move.
    fn key(&self) -> u64;
    /// The same position with the other side to move, in games where to move is hardly ever a
    /// burden; `None` in others.
    fn pass(self) -> Option<Self>;
    /// What `mv` does to the history that matters.
    fn progress(&self, mv: Self::Move) -> Progress;
    /// Whether `mv` leaves what counts as it is, so that a static evaluation can be trusted: no
    /// capture, in games where material counts.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Where the search keeps its experience with moves like `mv`.
    fn slot(mv: Self::Move) -> usize;
    /// `mv` as people write it; unique among the moves of this position.
    fn notation(&self, mv: Self::Move) -> impl Display;
}

/// Text that is not what it should be: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What was read, cut to a line's length.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

impl ParseError {
    /// An error about `found`; long or unprintable text is cut and escaped.
    pub fn new(found: &str, expected: impl Into<String>) -> ParseError {
        const SHOWN: usize = 40;
        let mut text: String = found.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        if found.chars().nth(SHOWN).is_some() {
            text.push_str("...");
        }
        ParseError { found: text, expected: expected.into() }
    }
}

impl Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found \"{}\", expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ParseError {}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// Number of leaves of the game tree `depth` plies below `position`; a finished game has no moves.
pub fn perft<G: Game>(position: G, depth: usize) -> u64 {
    fn leaves<G: Game>(position: G, lists: &mut [MoveList<G::Move>]) -> u64 {
        let Some((list, deeper)) = lists.split_first_mut() else { return 1 };
        if position.outcome().is_some() {
            return 0;
        }
        list.clear();
        position.moves(list);
        if deeper.is_empty() {
            return list.len() as u64;
        }
        list.iter().map(|&mv| leaves(position.play(mv), deeper)).sum()
    }
    leaves(position, &mut vec![MoveList::new(); depth])
}

/// The legal move that `text` names in `position`: the one checked door for moves as text.
///
/// # Errors
/// No legal move is written like that; the error lists those that are.
pub fn parse_move<G: Game>(position: &G, text: &str) -> Result<G::Move, ParseError> {
    let mut list = MoveList::new();
    position.moves(&mut list);
    let written: Vec<String> = list.iter().map(|&mv| position.notation(mv).to_string()).collect();
    match written.iter().position(|name| name == text.trim()) {
        Some(index) => Ok(list[index]),
        None if list.is_empty() => Err(ParseError::new(text, "no move: the game is over")),
        None => Err(ParseError::new(text, format!("a legal move: {}", written.join(", ")))),
    }
}
