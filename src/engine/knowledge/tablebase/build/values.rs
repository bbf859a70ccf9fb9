//! Exact values of all positions of the solved materials.

use std::fmt;

use super::solve;
use crate::checkers::Position;
use crate::game::{Value, Wdl};
use crate::knowledge::tablebase::board::Board;
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::material::{MAX_A_SIDE, Material};
use crate::knowledge::tablebase::value::Packed;

/// The exact values of all positions of the materials solved so far, one byte each.
#[derive(Debug)]
pub struct SolvedValues {
    /// Values by [`Material::code`]; empty for a material that is not solved.
    slices: Vec<Vec<u8>>,
}

/// Position counts by value, for one or more materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions won for the side to move.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Positions lost for the side to move.
    pub lost: u64,
    /// Longest distance in plies.
    pub longest: u16,
}

/// The reason why a material cannot be solved, or why values are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// A side has no piece, or more than a table allows.
    Size(Material),
    /// A capture or crowning leads to a material that is not solved.
    Missing {
        /// Material to be solved.
        material: Material,
        /// Material that must be solved first.
        before: Material,
    },
    /// The bytes are not values of the material.
    Bytes(Material),
}

impl SolvedValues {
    /// Creates values without any solved material.
    pub fn new() -> SolvedValues {
        SolvedValues { slices: vec![Vec::new(); Material::CODES] }
    }

    /// Returns true if a material is solved.
    pub fn has(&self, material: Material) -> bool {
        !self.slices[material.code()].is_empty()
    }

    /// Solves a material and its counterpart on `threads` threads. Before each layer, calls `watch` with the layer's
    /// distance in plies.
    ///
    /// # Errors
    /// A successor is not solved yet, or the material has more pieces than a table allows.
    pub fn solve(&mut self, material: Material, threads: usize, watch: &mut dyn FnMut(u16)) -> Result<(), SolveError> {
        check_size(material)?;
        if let Some(before) = material.successors().into_iter().find(|&before| !self.has(before)) {
            return Err(SolveError::Missing { material, before });
        }
        let [own, counterpart] = solve::solve(material, self, threads, watch);
        self.slices[material.code()] = own;
        if material.swapped() != material {
            self.slices[material.swapped().code()] = counterpart;
        }
        Ok(())
    }

    /// Values of a material, one byte each, as [`insert`](Self::insert) accepts them; empty if it is not solved.
    pub fn bytes(&self, material: Material) -> &[u8] {
        &self.slices[material.code()]
    }

    /// Inserts values that an earlier run solved.
    ///
    /// # Errors
    /// The number of bytes differs from that of the material's positions, or a byte is not a value.
    pub fn insert(&mut self, material: Material, bytes: Vec<u8>) -> Result<(), SolveError> {
        check_size(material)?;
        let sound = |&byte: &u8| Packed(byte) == Packed::NONE || Packed(byte).value().is_some();
        if bytes.len() != Index::new(material).len() as usize || !bytes.iter().all(sound) {
            return Err(SolveError::Bytes(material));
        }
        self.slices[material.code()] = bytes;
        Ok(())
    }

    /// Value of a position; `None` if its material is not solved.
    pub fn exact(&self, position: &Position) -> Option<Value> {
        let board = Board::of(position);
        let bytes = &self.slices[board.small_material()?.code()];
        Packed(*bytes.get(Index::new(board.material()).of(board) as usize)?).value()
    }

    /// Outcome of a board for the side to move, which must have a piece. Its material must be solved.
    #[inline]
    pub(super) fn outcome(&self, board: Board) -> Wdl {
        let material = board.material();
        let byte = self.slices[material.code()][Index::new(material).of(board) as usize];
        Packed(byte).value().map_or(Wdl::Draw, Value::outcome)
    }

    /// Counts the positions of a material by their values.
    pub fn census(&self, material: Material) -> Census {
        let mut census = Census::default();
        for &byte in self.bytes(material) {
            let (count, plies) = match Packed(byte).value() {
                None => continue,
                Some(Value::Win(plies)) => (&mut census.won, plies),
                Some(Value::Draw) => (&mut census.drawn, 0),
                Some(Value::Loss(plies)) => (&mut census.lost, plies),
            };
            *count += 1;
            census.longest = census.longest.max(plies);
        }
        census
    }
}

impl Default for SolvedValues {
    fn default() -> SolvedValues {
        SolvedValues::new()
    }
}

impl Census {
    /// Adds the counts. Keeps the longer distance.
    #[must_use]
    pub fn and(self, other: Census) -> Census {
        Census {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            longest: self.longest.max(other.longest),
        }
    }

    /// Number of all positions.
    pub fn positions(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

fn check_size(material: Material) -> Result<(), SolveError> {
    let fits = |pieces: u8| (1..=MAX_A_SIDE).contains(&pieces);
    if fits(material.own()) && fits(material.theirs()) { Ok(()) } else { Err(SolveError::Size(material)) }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Size(material) => write!(f, "{material}: expected 1 to {MAX_A_SIDE} pieces a side"),
            SolveError::Missing { material, before } => write!(f, "{material} requires {before} to be solved first"),
            SolveError::Bytes(material) => write!(f, "not the values of the positions of {material}"),
        }
    }
}

impl std::error::Error for SolveError {}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn solved(pieces: u8) -> SolvedValues {
        let mut values = SolvedValues::new();
        for material in (2..=pieces).flat_map(|count| Material::all(count, 3)) {
            if !values.has(material) {
                values.solve(material, 2, &mut |_| ()).unwrap();
            }
        }
        values
    }

    fn census(values: &SolvedValues, pieces: u8) -> Census {
        Material::all(pieces, 3).into_iter().fold(Census::default(), |sum, material| sum.and(values.census(material)))
    }

    /// Compares with the counts of an independent program.
    #[test]
    fn counts_of_won_drawn_and_lost_positions_are_right() {
        let values = solved(3);
        assert_eq!(census(&values, 2), Census { won: 716, drawn: 2_370, lost: 402, longest: 12 });
        assert_eq!(census(&values, 3), Census { won: 100_250, drawn: 8_477, lost: 87_305, longest: 34 });
    }

    #[test]
    fn a_missing_successor_is_an_error() {
        let material = Material { men: 0, kings: 2, their_men: 0, their_kings: 2 };
        let before = material.successors()[0];
        assert_eq!(SolvedValues::new().solve(material, 1, &mut |_| ()), Err(SolveError::Missing { material, before }));
        let large = Material { kings: 7, ..material };
        assert_eq!(SolvedValues::new().solve(large, 1, &mut |_| ()), Err(SolveError::Size(large)));
    }

    #[test]
    fn values_round_trip_through_bytes() {
        let values = solved(2);
        let mut again = SolvedValues::new();
        for material in Material::all(2, 1) {
            again.insert(material, values.bytes(material).to_vec()).unwrap();
            let short = values.bytes(material)[1..].to_vec();
            assert_eq!(again.insert(material, short), Err(SolveError::Bytes(material)));
        }
        for text in ["W:WK1:BK32", "B:WK1:B12", "W:W9:B4"] {
            let position = text.parse().unwrap();
            assert_eq!(again.exact(&position), values.exact(&position));
            assert!(again.exact(&position).is_some());
        }
    }
}
