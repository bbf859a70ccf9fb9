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

/// The weights of a network with `INPUTS` input features and `HIDDEN` hidden neurons per side, in the layout that the
/// search uses: embedded weights need no decoding at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const INPUTS: usize, const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> {
    /// Weights of each feature, in units of 1 / [`HIDDEN_ONE`].
    pub(super) inputs: Cow<'static, [Row<HIDDEN>]>,
    /// Biases of the hidden neurons in each stage of the game, in the same unit.
    pub(super) biases: [Row<HIDDEN>; STAGES],
    pub(super) buckets: [Bucket<HIDDEN>; BUCKETS],
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

impl<const INPUTS: usize, const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize>
    Network<INPUTS, HIDDEN, STAGES, BUCKETS>
{
    /// The network's value of a position, given the features that the side to move and the other side see, in hundredths
    /// of the evaluation's unit.
    #[inline]
    pub(crate) fn value(&self, stage: usize, bucket: usize, features: [&[u16]; 2]) -> i32 {
        let Bucket { weights, bias } = &self.buckets[bucket];
        let sum = row::weighted(&self.biases[stage], &self.inputs, features, weights);
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        ((i64::from(sum / i32::from(HIDDEN_ONE) + bias) * i64::from(self.unit)) / i64::from(one)) as i32
    }
}
