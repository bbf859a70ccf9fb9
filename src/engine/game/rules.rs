//! The trait that games implement.

use std::fmt::{Debug, Display};

use super::color::Color;
use super::ending::{DrawReason, Ending, Outcome};
use super::move_list::MoveList;
use super::parse_error::ParseError;

/// Effect of a move on repetitions and the count of quiet turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The position before the move can recur.
    Reversible,
    /// No earlier position can recur, but the turn counts as quiet.
    Irreversible,
    /// No earlier position can recur, and the count of quiet turns restarts at zero.
    Zeroing,
}

/// Rules of a two-player game with perfect information and alternating turns.
///
/// A position has at most [`MAX_MOVES`](super::MAX_MOVES) legal moves, 240: one more in a [`MoveList`] is a panic. The
/// search also needs [`Searched`](super::Searched). The games here also implement `FromStr`, the inverse of `Display`.
pub trait Game: Copy + Eq + Debug + Display + Send + Sync {
    /// A complete turn.
    type Move: Copy + Eq + Debug + Default + Send + Sync;

    /// Number of consecutive quiet turns that draws the game; `None` if the game has no such rule.
    const QUIET_LIMIT: Option<u16> = None;
    /// Number of occurrences of a position that draws the game; `None` if the game has no such rule.
    const REPETITION_LIMIT: Option<u8> = None;

    /// Returns the starting position.
    fn start() -> Self;
    /// Returns the side to move.
    fn turn(&self) -> Color;
    /// Adds all legal moves to `list`, in an order that depends only on the position. A side to move with no legal move
    /// has lost.
    fn moves(&self, list: &mut MoveList<Self::Move>);
    /// Returns the position after `mv`, which must come from [`moves`](Self::moves).
    #[must_use]
    fn play(self, mv: Self::Move) -> Self;
    /// Returns the result decided by the position alone, ignoring a lack of moves.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns a hash of the position and the side to move, updated move by move.
    fn key(&self) -> u64;
    /// Returns the effect of `mv` on repetitions and the count of quiet turns. The default costs comparisons with earlier
    /// positions; a game with a [`QUIET_LIMIT`](Self::QUIET_LIMIT) does not compile with it.
    fn progress(&self, _mv: Self::Move) -> Progress {
        const { assert!(Self::QUIET_LIMIT.is_none(), "a game that limits quiet turns says which turns are quiet") }
        Progress::Reversible
    }
    /// Returns `mv` in the game's usual notation, unique among the legal moves.
    fn notation(&self, mv: Self::Move) -> impl Display;

    /// Returns all legal moves, in the order of [`moves`](Self::moves). In hot code, keep one list and call `moves`
    /// instead.
    fn legal_moves(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// Returns how the position ends the game, if it does; having no legal move also ends it.
    /// [`History::ending`](super::History::ending) adds draws by repetition and quiet turns.
    fn ending(&self) -> Option<Ending> {
        match self.outcome() {
            Some(Outcome::Win(winner)) => Some(Ending::Win(winner)),
            Some(Outcome::Draw) => Some(Ending::Draw(DrawReason::Position)),
            None => self.legal_moves().is_empty().then(|| Ending::Win(!self.turn())),
        }
    }

    /// Returns the legal move that `text` names, in any notation of the game. All moves parsed from text go through
    /// this check.
    ///
    /// # Errors
    /// `text` does not name exactly one legal move; the error lists the candidates.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        let list = self.legal_moves();
        let wanted = text.trim();
        match list.iter().find(|&&mv| self.notation(mv).to_string() == wanted) {
            Some(&mv) => Ok(mv),
            None => Err(no_such_move(self, text, &list)),
        }
    }

    /// Formats a line of legal moves from this position: `11-15 22-18 15x22`.
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

/// Creates the error for `text` that does not name exactly one of the legal moves; `candidates` are those it may mean.
pub(crate) fn no_such_move<G: Game>(position: &G, text: &str, candidates: &[G::Move]) -> ParseError {
    if candidates.is_empty() {
        return ParseError::new(text, "no move: the game is over");
    }
    let names: Vec<String> = candidates.iter().map(|&mv| position.notation(mv).to_string()).collect();
    ParseError::new(text, format!("a legal move: {}", names.join(", ")))
}
