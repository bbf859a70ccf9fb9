//! A position as the side to move sees it.

use super::material::{MAX_A_SIDE, Material};
use crate::checkers::{Piece, Position, Square};
use crate::game::{Color, Game};

/// A position as the side to move sees it: its men move up.
///
/// Sets of squares are `u32`. The bit of a square is `4 * row + column / 2`, with the mover's first row as row 0, so
/// rotating the board by half a turn reverses the bits:
///
/// ```text
///   7 |    28    29    30    31
///   6 | 24    25    26    27
///   5 |    20    21    22    23
///   4 | 16    17    18    19
///   3 |    12    13    14    15
///   2 |  8     9    10    11
///   1 |     4     5     6     7
///   0 |  0     1     2     3
///     +------------------------
///        0  1  2  3  4  5  6  7
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    pub(super) men: u32,
    pub(super) kings: u32,
    pub(super) their_men: u32,
    pub(super) their_kings: u32,
}

impl Board {
    /// Converts a position to the view of its side to move.
    #[inline]
    pub(super) fn of(position: &Position) -> Board {
        let us = position.turn();
        let [men, kings] = position.sets(us);
        let [their_men, their_kings] = position.sets(!us);
        let seen = Board { men, kings, their_men, their_kings };
        match us {
            Color::White => seen,
            Color::Black => seen.turned(),
        }
    }

    /// Converts the board to a position with White to move.
    pub(super) fn position(self) -> Position {
        let square = |place: usize| Square::at(place % 4 * 2 + place / 4 % 2, place / 4);
        let sets = [
            (self.men, Color::White, Piece::Man),
            (self.kings, Color::White, Piece::King),
            (self.their_men, Color::Black, Piece::Man),
            (self.their_kings, Color::Black, Piece::King),
        ];
        let placed = sets.into_iter().flat_map(|(set, color, piece)| {
            let places = (0..32).filter(move |place| set >> place & 1 != 0);
            places.filter_map(square).map(move |square| (square, color, piece))
        });
        Position::new(Color::White, placed)
    }

    /// Rotates the board by half a turn, with the same side to move.
    #[inline]
    fn turned(self) -> Board {
        Board {
            men: self.men.reverse_bits(),
            kings: self.kings.reverse_bits(),
            their_men: self.their_men.reverse_bits(),
            their_kings: self.their_kings.reverse_bits(),
        }
    }

    /// Returns the same position as the other side sees it.
    #[inline]
    pub(super) fn flipped(self) -> Board {
        let turned = self.turned();
        Board { men: turned.their_men, kings: turned.their_kings, their_men: turned.men, their_kings: turned.kings }
    }

    #[inline]
    pub(super) fn material(self) -> Material {
        let count = |set: u32| set.count_ones() as u8;
        Material {
            men: count(self.men),
            kings: count(self.kings),
            their_men: count(self.their_men),
            their_kings: count(self.their_kings),
        }
    }

    /// Returns the material, if it has few enough pieces for a table.
    #[inline]
    pub(super) fn small_material(self) -> Option<Material> {
        let fits = |set: u32| (1..=u32::from(MAX_A_SIDE)).contains(&set.count_ones());
        (fits(self.own()) && fits(self.theirs())).then(|| self.material())
    }

    #[inline]
    pub(super) fn own(self) -> u32 {
        self.men | self.kings
    }

    #[inline]
    pub(super) fn theirs(self) -> u32 {
        self.their_men | self.their_kings
    }

    #[inline]
    pub(super) fn empty(self) -> u32 {
        !(self.own() | self.theirs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_seen_by_its_side_to_move_round_trip() {
        for text in ["W:W21,K30,K5:B1,2,K32", "W:WK1:B9", "W:W32:BK4"] {
            let position: Position = text.parse().unwrap();
            assert_eq!(Board::of(&position).position(), position);
            assert_eq!(Board::of(&position.flipped()).position(), position);
        }
    }
}
