//! Positions as the network of their game sees them.
//!
//! Pairs of sides begin with the side to move. As in [`packing`](super::packing), a table of functions lets the code that
//! learns be compiled once.

pub(crate) mod checkers;
pub(crate) mod loa;

use kingline::evaluate::network::{HIDDEN_ONE, Shape};

use super::record::Record;

/// Largest number of features that a side sees.
pub(crate) const MOST_SEEN: usize = 64;

/// A game's network, and what it sees.
pub(crate) struct View {
    pub(crate) shape: Shape,
    /// Number of hidden neurons per side.
    pub(crate) hidden: usize,
    pub(crate) stages: usize,
    pub(crate) buckets: usize,
    /// Number of places of pieces, over all stages. Patterns with a piece at a place share the weights of that place.
    pub(crate) places: usize,
    /// True if the search evaluates positions like this one; the others are not learned from.
    pub(crate) is_evaluated: fn(&Record) -> bool,
    /// Returns the pieces of a record as its side to move sees them: its own, then the other side's.
    pub(crate) sides: fn(&Record) -> [u64; 2],
    /// Returns the same pieces as the other side sees them.
    pub(crate) turned: fn([u64; 2]) -> [u64; 2],
    pub(crate) stage: fn([u64; 2]) -> usize,
    pub(crate) bucket: fn([u64; 2]) -> usize,
    /// Returns the features that the side to move sees.
    pub(crate) seen: fn([u64; 2]) -> Seen,
    /// Returns the places, numbered from 0 over all stages, whose weights a feature shares.
    pub(crate) parts: fn(usize) -> Vec<usize>,
    /// Images of the board with the same value. The first is the board itself.
    pub(crate) images: &'static [fn(u64) -> u64],
    /// Returns each direct feature's equals; none without direct features. See [`Equals`].
    pub(crate) equals: fn() -> Vec<Equals>,
    /// Adds the direct features of a position to a list.
    pub(crate) direct: fn([u64; 2], &mut Vec<u16>),
}

impl View {
    /// Returns the largest weight of a feature.
    pub(crate) fn most_input(&self) -> f32 {
        f32::from(self.shape.most_input) / f32::from(HIDDEN_ONE)
    }
}

/// Features that a side sees.
pub(crate) struct Seen {
    pub(crate) numbers: [u16; MOST_SEEN],
    pub(crate) count: usize,
}

impl Seen {
    pub(crate) fn new(numbers: impl IntoIterator<Item = u16>) -> Seen {
        let mut seen = Seen { numbers: [0; MOST_SEEN], count: 0 };
        for number in numbers {
            seen.numbers[seen.count] = number;
            seen.count += 1;
        }
        seen
    }

    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

/// A direct feature's equals: its weight is that of `same`, less that of `opposite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Equals {
    /// Representative of all features with the same weight.
    pub(crate) same: usize,
    /// Representative of all features with the opposite weight.
    pub(crate) opposite: usize,
}
