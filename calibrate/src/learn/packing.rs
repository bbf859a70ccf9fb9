//! Packed positions.
//!
//! Files and memory contain millions of positions, at 64 bits per side. Code that reads them needs the same functions
//! of every game. A table of these functions lets that code be compiled once instead of once for each game.

use kingline::game::Color;

/// Meaning of a side's 64 bits in a game. Functions of two sides take the side to move and the other one, or Black and
/// White where the order does not matter.
pub(crate) struct Packing {
    /// Name of the game on the command line and in files.
    pub(crate) name: &'static str,
    /// Smallest number of pieces in each phase of a game; 0 in the last one.
    pub(crate) phases: &'static [u32],
    /// Returns true if the rules allow these pieces, Black's first, with this side to move.
    pub(crate) is_legal: fn(Color, [u64; 2]) -> bool,
    /// Returns true if both sides have the same material.
    pub(crate) is_level: fn([u64; 2]) -> bool,
    /// Returns the material of a side, in tenths of the least valuable piece.
    pub(crate) material: fn(u64) -> i32,
}

impl Packing {
    /// Returns the phase with this number of pieces.
    pub(crate) fn phase(&self, pieces: u32) -> usize {
        self.phases.iter().position(|&least| pieces >= least).unwrap_or(0)
    }

    /// Returns the names of the phases: `14 and more`, `8 to 13`, ...
    pub(crate) fn phase_names(&self) -> Vec<String> {
        let most = [None].into_iter().chain(self.phases.iter().map(|&least| Some(least - 1)));
        let name = |(&least, most)| match most {
            None => format!("{least} and more"),
            Some(most) if least == 0 => format!("{most} and fewer"),
            Some(most) if least + 1 == most => format!("{least} and {most}"),
            Some(most) => format!("{least} to {most}"),
        };
        self.phases.iter().zip(most).map(name).collect()
    }
}
