//! The layers of the network, and the value of an accumulator.

use super::row::{self, Row, Rows};

pub use super::row::HIDDEN_ONE;

/// Integer that represents an output weight of 1.
pub const OUTPUT_ONE: i16 = 64;
/// Largest output weight: its product with a clipped hidden neuron fits in 16 bits.
pub const MOST_OUTPUT: i16 = 127;
/// Largest number of hidden neurons per side: the weighted sum of both sides fits in 32 bits.
pub(super) const MOST_HIDDEN: usize =
    i32::MAX as usize / (2 * MOST_OUTPUT as usize * HIDDEN_ONE as usize * HIDDEN_ONE as usize);

/// The weights of a network with `INPUTS` input features and `HIDDEN` hidden neurons per side, in the layout that the
/// search uses, so that embedded weights need no decoding at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const INPUTS: usize, const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> {
    /// Weights of each feature, in units of 1 / [`HIDDEN_ONE`].
    pub(super) inputs: [Row<HIDDEN>; INPUTS],
    /// Accumulator of each stage of the game without any features, in the same unit.
    pub(super) biases: [Row<HIDDEN>; STAGES],
    pub(super) buckets: [Bucket<HIDDEN>; BUCKETS],
    /// Score of an output of 1, in hundredths of the evaluation's unit.
    pub(super) unit: i16,
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

impl<const INPUTS: usize, const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize>
    Network<INPUTS, HIDDEN, STAGES, BUCKETS>
{
    /// Accumulator of a position in this stage with these features, Black's first.
    pub(crate) fn accumulator(&self, stage: usize, features: [impl Iterator<Item = usize>; 2]) -> Accumulator<HIDDEN> {
        let mut accumulator = Accumulator([self.biases[stage]; 2]);
        for (side, features) in features.into_iter().enumerate() {
            features.for_each(|added| row::add(&mut accumulator.0[side], &self.inputs[added]));
        }
        accumulator
    }

    /// Removes a feature from the accumulator of the side with this index.
    #[inline(always)]
    pub(crate) fn remove(&self, accumulator: &mut Accumulator<HIDDEN>, side: usize, removed: usize) {
        row::subtract(&mut accumulator.0[side], &self.inputs[removed]);
    }

    /// Sets the side with this index in `next` to its accumulator with some features removed and as many added.
    #[inline(always)]
    pub(crate) fn exchange(
        &self,
        accumulator: &Accumulator<HIDDEN>,
        side: usize,
        changes: &[[usize; 2]],
        next: &mut Accumulator<HIDDEN>,
    ) {
        row::exchange(&accumulator.0[side], &self.inputs, changes, &mut next.0[side]);
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
