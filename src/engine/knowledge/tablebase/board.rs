use std::fmt;

use crate::checkers::{Piece, Position, Square};
use crate::game::{Color, Game};

/// Number of pieces of each kind, as the side to move sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// Men of the side to move.
    pub men: u8,
    /// Kings of the side to move.
    pub kings: u8,
    /// Men of the other side.
    pub their_men: u8,
    /// Kings of the other side.
    pub their_kings: u8,
}

/// Largest number of pieces of a side in a table.
pub(super) const MAX_A_SIDE: u8 = 4;

impl Material {
    pub(super) const CODES: usize = 1 << 12;

    /// Number of pieces of the side to move.
    pub const fn own(self) -> u8 {
        self.men + self.kings
    }

    /// Number of pieces of the other side.
    pub const fn theirs(self) -> u8 {
        self.their_men + self.their_kings
    }

    /// Number of all pieces.
    pub const fn pieces(self) -> u8 {
        self.own() + self.theirs()
    }

    /// Number of men on both sides, which decreases with each crowning.
    pub const fn all_men(self) -> u8 {
        self.men + self.their_men
    }

    /// Returns the same material as the other side sees it.
    #[must_use]
    pub const fn swapped(self) -> Material {
        Material { men: self.their_men, kings: self.their_kings, their_men: self.men, their_kings: self.kings }
    }

    /// Code below [`CODES`](Self::CODES), different for each material of at most 7 pieces of a kind.
    pub(super) const fn code(self) -> usize {
        self.men as usize
            | (self.kings as usize) << 3
            | (self.their_men as usize) << 6
            | (self.their_kings as usize) << 9
    }

    /// Material of a [`code`](Self::code). Bits above the lowest twelve are ignored.
    pub(super) const fn from_code(code: usize) -> Material {
        Material {
            men: (code & 7) as u8,
            kings: (code >> 3 & 7) as u8,
            their_men: (code >> 6 & 7) as u8,
            their_kings: (code >> 9 & 7) as u8,
        }
    }

    /// Returns the materials after a capture, a crowning, or both in one turn, as the other side sees them. Materials
    /// that leave it no piece are omitted.
    pub fn successors(self) -> Vec<Material> {
        let mut all = Vec::new();
        for men in 0..=self.their_men {
            for kings in 0..=self.their_kings {
                let after = Material { men, kings, their_men: self.men, their_kings: self.kings };
                let captures = after != self.swapped();
                if captures && after.own() > 0 {
                    all.push(after);
                }
                if self.men > 0 && after.own() > 0 {
                    all.push(Material { their_men: self.men - 1, their_kings: self.kings + 1, ..after });
                }
            }
        }
        all
    }

    /// Returns all materials of `pieces` pieces, 1 to `most` a side, in an order in which they can be solved:
    /// successors by crowning come first.
    pub fn all(pieces: u8, most: u8) -> Vec<Material> {
        let mut all: Vec<Material> = (0..Material::CODES)
            .map(Material::from_code)
            .filter(|material| material.pieces() == pieces)
            .filter(|material| (1..=most).contains(&material.own()) && (1..=most).contains(&material.theirs()))
            .collect();
        all.sort_by_key(|material| (material.all_men(), material.code()));
        all
    }
}

impl fmt::Display for Material {
    /// Writes a letter for each piece, with the side to move before the dash: `mmK-mK`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |men: u8, kings: u8| "m".repeat(men.into()) + &"K".repeat(kings.into());
        write!(f, "{}-{}", side(self.men, self.kings), side(self.their_men, self.their_kings))
    }
}

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

    /// Returns the material, if a table can have the board: with few enough pieces, and no man on its crowning row.
    #[inline]
    pub(super) fn tabled_material(self) -> Option<Material> {
        let fits = |set: u32| (1..=u32::from(MAX_A_SIDE)).contains(&set.count_ones());
        let uncrowned = self.men & 0xf << 28 | self.their_men & 0xf;
        (fits(self.own()) && fits(self.theirs()) && uncrowned == 0).then(|| self.material())
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
    fn code_round_trip() {
        for material in (2..=6).flat_map(|pieces| Material::all(pieces, MAX_A_SIDE)) {
            assert_eq!(Material::from_code(material.code()), material);
            assert_eq!(material.swapped().swapped(), material);
        }
    }

    #[test]
    fn successors_come_before_a_material() {
        let all: Vec<Material> = (2..=6).flat_map(|pieces| Material::all(pieces, 3)).collect();
        for (place, material) in all.iter().enumerate() {
            for before in material.successors() {
                assert!(all[..place].contains(&before), "{material} leads to {before}");
            }
        }
    }

    #[test]
    fn display_has_a_letter_per_piece() {
        assert_eq!(Material { men: 2, kings: 1, their_men: 0, their_kings: 1 }.to_string(), "mmK-K");
    }

    #[test]
    fn a_position_seen_by_its_side_to_move_round_trip() {
        for text in ["W:W21,K30,K5:B1,2,K32", "W:WK1:B9", "W:W32:BK4"] {
            let position: Position = text.parse().unwrap();
            assert_eq!(Board::of(&position).position(), position);
            assert_eq!(Board::of(&position.flipped()).position(), position);
        }
    }
}
