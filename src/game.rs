//! What a game is: a small position that is copied to make a move, and all its legal moves.
//!
//! The position is the game. What it does not hold (earlier positions, the count of quiet turns)
//! belongs to the path that led to it: see [`History`].

mod evaluator;
mod history;
mod knowledge;
mod move_list;
pub(crate) mod zobrist;

use std::fmt::{self, Debug, Display};
use std::ops::Not;

#[cfg(feature = "programs")]
use serde::{Deserialize, Serialize};

pub use evaluator::Evaluator;
pub use history::{DrawReason, Ending, History};
pub use knowledge::{Knowledge, NoKnowledge, Verdict};
pub use move_list::{MAX_MOVES, MoveList};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "programs", derive(Serialize, Deserialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Color {
    /// Moves first in every game here.
    Black,
    /// Moves second.
    White,
}

/// How a game ended: its result. Why it is drawn tells [`Ending`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Color),
    /// Nobody has won.
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
///
/// The games here are read from text too (`FromStr`, which inverts `Display`); the search does not ask for it.
pub trait Game: Copy + Eq + Debug + Display {
    /// A whole turn.
    type Move: Copy + Eq + Debug + Default;

    /// Number of history slots: [`slot`](Self::slot) is below it.
    const SLOTS: usize;
    /// The game is drawn after this many quiet turns in a row; `None`: never.
    const QUIET_LIMIT: Option<u16> = None;
    /// The game is drawn when a position is on the board for this time; `None`: never.
    const REPETITION_LIMIT: Option<u8> = None;
    /// Whether the static evaluation is trusted everywhere, also where captures are possible: the search has no
    /// quiescence then.
    const STATIC_EVAL_SUFFICES: bool;

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
    fn pass(self) -> Option<Self> {
        None
    }
    /// What `mv` does to the history that matters.
    fn progress(&self, mv: Self::Move) -> Progress;
    /// Whether `mv` leaves what counts as it is, so that a static evaluation can be trusted: no
    /// capture, in games where material counts.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// Where the search keeps its experience with moves like `mv`.
    fn slot(mv: Self::Move) -> usize;
    /// `mv` as people write it; unique among the moves of this position.
    fn notation(&self, mv: Self::Move) -> impl Display;

    /// All legal moves, in the order of [`moves`](Self::moves). Where speed counts, keep a list and use that.
    fn legal_moves(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// Whether the position ends the game, and how, also for a lack of moves. Draws by what came before are
    /// [`History::ending`]'s to tell.
    fn ending(&self) -> Option<Ending> {
        match self.outcome() {
            Some(Outcome::Win(winner)) => Some(Ending::Win(winner)),
            Some(Outcome::Draw) => Some(Ending::Draw(DrawReason::Position)),
            None => self.legal_moves().is_empty().then(|| Ending::Win(!self.turn())),
        }
    }

    /// The legal move that `text` names, in any notation of the game: the one checked door for moves as text.
    /// A game with one notation needs no more than this.
    ///
    /// # Errors
    /// No legal move is written like that, or several are; the error lists those that could be meant.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        let list = self.legal_moves();
        let wanted = text.trim();
        match list.iter().find(|&&mv| self.notation(mv).to_string() == wanted) {
            Some(&mv) => Ok(mv),
            None => Err(no_such_move(self, text, &list)),
        }
    }

    /// Moves that follow each other from here, each of them legal, as people write them: `11-15 22-18 15x22`.
    fn line(&self, moves: &[Self::Move]) -> String {
        let mut position = *self;
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(position.notation(mv).to_string());
            position = position.play(mv);
        }
        words.join(" ")
    }
}

/// An error about `text`, which is none of the moves of `position` that could be meant.
pub(crate) fn no_such_move<G: Game>(position: &G, text: &str, meant: &[G::Move]) -> ParseError {
    if meant.is_empty() {
        return ParseError::new(text, "no move: the game is over");
    }
    let names: Vec<String> = meant.iter().map(|&mv| position.notation(mv).to_string()).collect();
    ParseError::new(text, format!("a legal move: {}", names.join(", ")))
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
