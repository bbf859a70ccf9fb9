//! Buffers for the legal moves of a position.

use std::ops::Deref;

/// Maximum number of legal moves in any position of any game here, unreachable positions included.
///
/// Lines of Action has the most: on a line of `L` squares with `k` pieces, at most `min(k, L - k)` of them can move `k`
/// squares up, and as many can move `k` squares down. Summed over all lines of the 8x8 board, that is 240.
pub const MAX_MOVES: usize = 240;

/// Moves of one position, in a buffer that the caller owns and reuses.
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

    /// Adds a move. A full list stays unchanged.
    #[inline]
    pub fn push(&mut self, mv: M) {
        debug_assert!(self.len < MAX_MOVES, "more moves than any position has");
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }
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
