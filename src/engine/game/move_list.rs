//! Buffers for the legal moves of a position.

use std::ops::Deref;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "more than 240 legal moves")]
    fn one_move_too_many_is_a_panic() {
        let mut list = MoveList::new();
        (0..=MAX_MOVES).for_each(|mv| list.push(mv));
    }
}
