//! What do packed positions say to those who learn from them?
//!
//! The offline side keeps millions of positions as 64 bits a side. What it asks of them is the same in every game, so it
//! is a table of functions: the code that learns is there once, not once a game.

use kingline::evaluate;
use kingline::game::Color;
use kingline::{checkers, loa};

use super::game::Learned;

/// What 64 bits a side mean in a game. Sides are in pairs: the side to move and the other, or Black and White, where it
/// is the same.
pub(crate) struct Packing {
    /// The game's name on the command line and in files.
    pub(crate) name: &'static str,
    /// The least number of pieces in each phase of a game, the last one's 0.
    pub(crate) phases: &'static [u32],
    /// Whether the rules know a position of this turn with these pieces, Black's first.
    pub(crate) is_legal: fn(Color, [u64; 2]) -> bool,
    /// Whether a bit of a side is a piece of the least kind.
    pub(crate) is_least: fn(usize) -> bool,
    /// The pieces of a side as the other side sees the board.
    pub(crate) turn_around: fn(u64) -> u64,
    /// The stage of the network for a position.
    pub(crate) stage: fn([u64; 2]) -> usize,
    /// The bucket of the network for a position.
    pub(crate) bucket: fn([u64; 2]) -> usize,
    /// Whether both sides have the same material.
    pub(crate) is_level: fn([u64; 2]) -> bool,
    /// What a side counts, in tenths of the least piece.
    pub(crate) material: fn(u64) -> i32,
}

impl Packing {
    /// The number of the phase with this number of pieces.
    pub(crate) fn phase(&self, pieces: u32) -> usize {
        self.phases.iter().position(|&least| pieces >= least).unwrap_or(0)
    }

    /// What the phases are called: `14 and more`, `8 to 13`, ...
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

/// Men in the lower half, kings in the upper: bit `4 * row + column / 2`.
pub(crate) static CHECKERS: Packing = Packing {
    name: "checkers",
    phases: &[14, 8, 6, 0],
    is_legal: |turn, pieces| checkers::Position::unpack(turn, pieces).is_some(),
    is_least: |bit| bit < 32,
    turn_around: |pieces| pieces.reverse_bits().rotate_left(32),
    stage: |sides| {
        let [pieces, kings] = checkers_pieces(sides);
        evaluate::checkers::stage(pieces, kings)
    },
    bucket: |sides| {
        let [pieces, kings] = checkers_pieces(sides);
        evaluate::checkers::bucket(pieces, kings)
    },
    is_level: |[own, theirs]| {
        own.count_ones() == theirs.count_ones() && (own >> 32).count_ones() == (theirs >> 32).count_ones()
    },
    // A king is worth 1.3 men.
    material: |pieces| (10 * (pieces as u32).count_ones() + 13 * (pieces >> 32).count_ones()) as i32,
};

/// Bit `8 * row + column`.
pub(crate) static LOA: Packing = loa_packing::<8>();
/// Likewise: the last columns and rows stay empty.
pub(crate) static LOA6: Packing = loa_packing::<6>();

const fn loa_packing<const N: usize>() -> Packing {
    Packing {
        name: if N == 8 { "loa" } else { "loa6" },
        phases: if N == 8 { &[20, 16, 12, 0] } else { &[14, 11, 8, 0] },
        is_legal: |turn, pieces| loa::Position::<N>::unpack(turn, pieces).is_some(),
        is_least: |_| true,
        turn_around: transposed,
        stage: |[own, theirs]| ((24 - (own | theirs).count_ones().min(24)) / 6) as usize,
        bucket: |[own, theirs]| ((own | theirs).count_ones().saturating_sub(1) / 3) as usize,
        // The number of pieces says little.
        is_level: |_| true,
        material: |pieces| 10 * pieces.count_ones() as i32,
    }
}

/// All pieces of both sides, and the kings among them.
fn checkers_pieces([own, theirs]: [u64; 2]) -> [u32; 2] {
    [own.count_ones() + theirs.count_ones(), ((own | theirs) >> 32).count_ones()]
}

/// Exchanging rows and columns exchanges the sides: the transposition of H. Warren, "Hacker's Delight", 7-3.
fn transposed(mut pieces: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0xcccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let swapped = (pieces ^ pieces >> shift) & mask;
        pieces ^= swapped ^ swapped << shift;
    }
    pieces
}
