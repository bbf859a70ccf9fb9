//! What are the rules of a game?

use std::fmt::{Debug, Display};

use super::color::Color;
use super::ending::{DrawReason, Ending, Outcome};
use super::move_list::MoveList;
use super::parse_error::ParseError;

/// What a move does to the two parts of the past that matter: repetitions and the count of quiet turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The position before it can come back.
    Reversible,
    /// No earlier position can come back, but the turn counts as quiet.
    Irreversible,
    /// No earlier position can come back, and the count of quiet turns restarts at zero.
    Zeroing,
}

/// The rules of a game of two players with perfect information and alternating turns.
///
/// The games here can be read from text too (`FromStr`, the inverse of `Display`); the search does not ask for it.
pub trait Game: Copy + Eq + Debug + Display {
    /// A whole turn.
    type Move: Copy + Eq + Debug + Default;

    /// The size of the search's history tables, which [`slot`](Self::slot) indexes.
    const SLOTS: usize;
    /// The game is drawn after this many quiet turns in a row; `None`: never.
    const QUIET_LIMIT: Option<u16> = None;
    /// The game is drawn when a position occurs this many times; `None`: never.
    const REPETITION_LIMIT: Option<u8> = None;
    /// Whether the static evaluation is trusted everywhere, also where captures are possible: the search has no
    /// quiescence then.
    const STATIC_EVAL_SUFFICES: bool;

    /// The position that games start from.
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
    /// A hash of the position and the side to move, updated move by move.
    fn key(&self) -> u64;
    /// The same position with the other side to move (the null move), in games that hardly know zugzwang; `None` in
    /// others.
    fn pass(self) -> Option<Self> {
        None
    }
    /// What `mv` does to repetitions and the count of quiet turns.
    fn progress(&self, mv: Self::Move) -> Progress;
    /// Whether the static evaluation can be trusted after `mv`: no capture, in games where material counts.
    fn is_quiet(&self, mv: Self::Move) -> bool;
    /// The index of moves like `mv` in the search's history tables, below [`SLOTS`](Self::SLOTS).
    fn slot(mv: Self::Move) -> usize;
    /// `mv` as people write it, unique among the legal moves.
    fn notation(&self, mv: Self::Move) -> impl Display;

    /// All legal moves, in the order of [`moves`](Self::moves). Where speed counts, keep a list and call that.
    fn legal_moves(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list
    }

    /// Whether the position ends the game, and how, also for a lack of moves. Draws by repetition or quiet turns are
    /// found by [`History::ending`](super::History::ending).
    fn ending(&self) -> Option<Ending> {
        match self.outcome() {
            Some(Outcome::Win(winner)) => Some(Ending::Win(winner)),
            Some(Outcome::Draw) => Some(Ending::Draw(DrawReason::Position)),
            None => self.legal_moves().is_empty().then(|| Ending::Win(!self.turn())),
        }
    }

    /// The legal move that `text` names, in any notation of the game. All moves read as text are checked here.
    ///
    /// # Errors
    /// `text` names no legal move, or several; the error lists those that could be meant.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        let list = self.legal_moves();
        let wanted = text.trim();
        match list.iter().find(|&&mv| self.notation(mv).to_string() == wanted) {
            Some(&mv) => Ok(mv),
            None => Err(no_such_move(self, text, &list)),
        }
    }

    /// A line of legal moves from here, as people write it: `11-15 22-18 15x22`.
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

/// The error for `text` that names none of the moves `meant`, which are legal in `position`.
pub(crate) fn no_such_move<G: Game>(position: &G, text: &str, meant: &[G::Move]) -> ParseError {
    if meant.is_empty() {
        return ParseError::new(text, "no move: the game is over");
    }
    let names: Vec<String> = meant.iter().map(|&mv| position.notation(mv).to_string()).collect();
    ParseError::new(text, format!("a legal move: {}", names.join(", ")))
}
