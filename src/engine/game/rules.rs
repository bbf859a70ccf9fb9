use std::fmt::{Debug, Display};
use std::ops::Deref;

use super::outcome::{Color, DrawReason, Ending, Outcome};
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

    /// Number of consecutive quiet turns that draws the game under [`Rules::Course`](super::Rules::Course); `None` if
    /// the game has no such rule.
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

/// Maximum number of legal moves in a position, unreachable positions included.
///
/// Lines of Action has the most: on a line of `L` squares with `k` pieces, at most `min(k, L - k)` of them can move `k`
/// squares up, and as many can move `k` squares down. Summed over all lines of the 8x8 board, that is 240.
pub const MAX_MOVES: usize = 240;

/// Moves of one position, at most [`MAX_MOVES`], in a buffer that the caller owns and reuses.
#[derive(Clone, Debug)]
pub struct MoveList<M> {
    moves: [M; MAX_MOVES],
    len: usize,
}

impl<M: Copy + Default> MoveList<M> {
    /// Creates an empty list. This writes the whole buffer; in hot code, keep one list and clear it.
    pub fn new() -> MoveList<M> {
        MoveList { moves: [M::default(); MAX_MOVES], len: 0 }
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    ///
    /// # Panics
    /// The list has [`MAX_MOVES`] moves already.
    #[inline]
    pub fn push(&mut self, mv: M) {
        match self.moves.get_mut(self.len) {
            Some(place) => *place = mv,
            None => overflow(),
        }
        self.len += 1;
    }
}

#[cold]
fn overflow() -> ! {
    panic!("a position has more than {MAX_MOVES} legal moves, which is all that a `MoveList` holds")
}

impl<M: Copy + Default> Default for MoveList<M> {
    fn default() -> MoveList<M> {
        MoveList::new()
    }
}

impl<M> Deref for MoveList<M> {
    type Target = [M];
    #[inline]
    fn deref(&self) -> &[M] {
        &self.moves[..self.len]
    }
}

impl<'a, M> IntoIterator for &'a MoveList<M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<M: Copy> IntoIterator for MoveList<M> {
    type Item = M;
    type IntoIter = std::iter::Take<std::array::IntoIter<M, MAX_MOVES>>;
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

/// A game whose positions have a canonical form: one number for all positions that are equal after rotation, reflection
/// or an exchange of the colors.
///
/// All positions with the same form have the same value: the side to move wins or loses in the same number of plies.
/// Positions that end the game have a form as well.
pub trait Canonical: Game {
    /// Name of the game in files, at most 8 letters and digits.
    const NAME: &'static str;
    /// Number of codes.
    const CODES: u64;

    /// Returns the form of the position, from the side to move's point of view.
    fn form(&self) -> u128;

    /// Returns the representative position of `form` with `turn` to move; `None` if no position has this form.
    fn of_form(form: u128, turn: Color) -> Option<Self>;

    /// Returns the code of a form, a smaller number that stands for it in files: below [`CODES`](Self::CODES), and
    /// different for each form.
    fn code(form: u128) -> u64;

    /// Returns the form with this code.
    fn of_code(code: u64) -> u128;
}

/// Indices of the set bits, lowest first.
#[inline(always)]
pub(crate) fn bits(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut set = set.into();
    std::iter::from_fn(move || {
        let index = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            index
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "more than 240 legal moves")]
    fn one_move_too_many_is_a_panic() {
        let mut list = MoveList::new();
        (0..=MAX_MOVES).for_each(|mv| list.push(mv));
    }

    #[test]
    fn bits_are_listed_from_the_lowest() {
        assert_eq!(bits(1u64 | 1 << 9 | 1 << 63).collect::<Vec<_>>(), [0, 9, 63]);
        assert_eq!(bits(u32::MAX).collect::<Vec<_>>(), (0..32).collect::<Vec<_>>());
        assert_eq!(bits(0u32).next(), None);
    }
}
