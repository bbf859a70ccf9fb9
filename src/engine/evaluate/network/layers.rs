//! The layers of the network, and its value.

use std::borrow::Cow;

use super::row::{self, Row};

pub use super::row::HIDDEN_ONE;

/// Integer that represents an output weight of 1.
pub const OUTPUT_ONE: i16 = 64;
/// Largest output weight: its product with a clipped hidden neuron fits in 16 bits.
pub const MOST_OUTPUT: i16 = 127;
/// Largest number of hidden neurons per side: the weighted sum of both sides fits in 32 bits.
pub(super) const MOST_HIDDEN: usize =
    i32::MAX as usize / (2 * MOST_OUTPUT as usize * HIDDEN_ONE as usize * HIDDEN_ONE as usize);

/// The game that a network is for, and its number of features.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Name of the game, at most 8 bytes.
    pub game: &'static str,
    /// Number of input features.
    pub inputs: usize,
    /// Largest weight of a feature, in units of 1 / [`HIDDEN_ONE`]: sums over all features that a side sees fit 16 bits.
    pub most_input: i16,
    /// Number of direct features; 0 for a network without them.
    pub direct: usize,
}

/// The weights of a network with `HIDDEN` hidden neurons per side, in the layout that the search uses: embedded weights
/// need no decoding at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> {
    /// Weights of each feature, in units of 1 / [`HIDDEN_ONE`].
    pub(super) inputs: Cow<'static, [Row<HIDDEN>]>,
    /// Biases of the hidden neurons in each stage of the game, in the same unit.
    pub(super) biases: [Row<HIDDEN>; STAGES],
    pub(super) buckets: [Bucket<HIDDEN>; BUCKETS],
    /// Weights of each direct feature as they are in a file.
    pub(super) direct: Cow<'static, [[u8; 2]]>,
    /// Score of an output of 1, in hundredths of the evaluation's unit.
    pub(super) unit: i16,
}

/// The last layer, for positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bucket<const HIDDEN: usize> {
    /// Weights of the squared neurons of the side to move and of the other side, in units of 1 / [`OUTPUT_ONE`].
    pub(super) weights: [Row<HIDDEN>; 2],
    /// Output if all neurons are 0, in units of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
    pub(super) bias: i32,
}

impl<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> Network<HIDDEN, STAGES, BUCKETS> {
    /// The network's value of a position, in hundredths of the evaluation's unit, given the features that the side to
    /// move and the other side see. `direct` is the sum of the weights of the direct features.
    #[inline]
    pub(crate) fn value(&self, stage: usize, bucket: usize, features: [&[u16]; 2], direct: i32) -> i32 {
        let Bucket { weights, bias } = &self.buckets[bucket];
        let sum = row::weighted(&self.biases[stage], &self.inputs, features, weights);
        let output = sum / i32::from(HIDDEN_ONE) + bias + direct;
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        ((i64::from(output) * i64::from(self.unit)) / i64::from(one)) as i32
    }

    /// Weights of the direct features.
    #[inline(always)]
    pub(crate) fn direct(&self) -> DirectWeights<'_> {
        DirectWeights(&self.direct)
    }
}

/// Weights of the direct features of a network, in units of an output of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
#[derive(Clone, Copy)]
pub(crate) struct DirectWeights<'a>(&'a [[u8; 2]]);

impl DirectWeights<'_> {
    /// Weight of a feature.
    #[inline(always)]
    pub(crate) fn get(self, feature: usize) -> i16 {
        i16::from_le_bytes(self.0[feature])
    }
}
