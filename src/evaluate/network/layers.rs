//! The layers of the network, and the value of an accumulator.

use super::row::{self, Row, Rows};

pub use super::row::HIDDEN_ONE;

/// Input features of one side: 64 for its own pieces, 64 for the other side's.
pub const INPUTS: usize = 128;
/// Integer that represents an output weight of 1.
pub const OUTPUT_ONE: i16 = 64;
/// Largest output weight: its product with a clipped hidden neuron fits in 16 bits.
pub const MOST_OUTPUT: i16 = 127;
/// Largest number of hidden neurons per side: the weighted sum of both sides fits in 32 bits.
pub(super) const MOST_HIDDEN: usize =
    i32::MAX as usize / (2 * MOST_OUTPUT as usize * HIDDEN_ONE as usize * HIDDEN_ONE as usize);

/// The weights of a network with `HIDDEN` hidden neurons per side, in the layout that the search uses, so that embedded
/// weights need no decoding at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> {
    pub(super) stages: [Stage<HIDDEN>; STAGES],
    pub(super) buckets: [Bucket<HIDDEN>; BUCKETS],
    /// Score of an output of 1, in hundredths of the evaluation's unit.
    pub(super) unit: i16,
}

/// The first layer, for one stage of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stage<const HIDDEN: usize> {
    /// Weights of each feature, in units of 1 / [`HIDDEN_ONE`].
    pub(super) inputs: [Row<HIDDEN>; INPUTS],
    /// Accumulator without any features, in the same unit.
    pub(super) bias: Row<HIDDEN>,
}

/// The last layer, for positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bucket<const HIDDEN: usize> {
    /// Weights of the squared neurons of the side to move and of the other side, in units of 1 / [`OUTPUT_ONE`].
    pub(super) weights: Rows<HIDDEN>,
    /// Output if all neurons are 0, in units of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
    pub(super) bias: i32,
}

/// First-layer sums of both sides before clipping, Black's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator<const HIDDEN: usize>(Rows<HIDDEN>);

/// The indices of a piece's input feature as Black and as White see it.
pub(crate) type Feature = [usize; 2];

impl<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> Network<HIDDEN, STAGES, BUCKETS> {
    /// Accumulator of a position in this stage with these features.
    pub(crate) fn accumulator(&self, stage: usize, features: &[Feature]) -> Accumulator<HIDDEN> {
        let Stage { inputs, bias } = &self.stages[stage];
        Accumulator(row::sum(bias, inputs, features))
    }

    /// Removes the feature of a captured piece.
    #[inline(always)]
    pub(crate) fn remove(&self, stage: usize, accumulator: &mut Accumulator<HIDDEN>, removed: Feature) {
        row::subtract(&mut accumulator.0, self.weights(stage, removed));
    }

    /// Sets `next` to the accumulator after a piece has moved within a stage, in one pass: most moves change nothing
    /// else.
    #[inline(always)]
    pub(crate) fn exchange(
        &self,
        stage: usize,
        accumulator: &Accumulator<HIDDEN>,
        removed: Feature,
        added: Feature,
        next: &mut Accumulator<HIDDEN>,
    ) {
        row::exchange(&accumulator.0, self.weights(stage, removed), self.weights(stage, added), &mut next.0);
    }

    /// Weights of a feature, for the accumulator of each side.
    #[inline(always)]
    fn weights(&self, stage: usize, feature: Feature) -> [&Row<HIDDEN>; 2] {
        let weights = &self.stages[stage].inputs;
        // Not `map`, which the compiler does not inline here.
        [&weights[feature[0] & (INPUTS - 1)], &weights[feature[1] & (INPUTS - 1)]]
    }

    /// The network's value for the side with index `turn`, in hundredths of the evaluation's unit.
    #[inline]
    pub(crate) fn value(&self, accumulator: &Accumulator<HIDDEN>, turn: usize, bucket: usize) -> i32 {
        let Bucket { weights, bias } = &self.buckets[bucket];
        let sum = row::weighted([&accumulator.0[turn & 1], &accumulator.0[turn & 1 ^ 1]], weights);
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        ((i64::from(sum / i32::from(HIDDEN_ONE) + bias) * i64::from(self.unit)) / i64::from(one)) as i32
    }
}
