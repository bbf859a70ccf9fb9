//! Material: the pieces on the board.

use std::fmt;

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
    /// Number of [`code`](Self::code)s.
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
}
