//! A small neural network for learned evaluations.
//!
//! ```text
//! pieces as the side to move sees them  --+-> HIDDEN neurons -- squared ReLU --+
//!                                         |   (the same weights)               +--> one number (weights of the bucket)
//! pieces as the other side sees them    --+-> HIDDEN neurons -- squared ReLU --+
//! direct features, if the game has any  ---------------------------------------+
//! ```
//!
//! A game says which input features each side sees; the network only knows their numbers. Both sides share the weights
//! of the first layer, as in Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi", 2018. Unlike there, the first layer is summed for each evaluation: only half of the nodes are evaluated, and
//! there are few features, so keeping the sums up to date at every node takes longer. All numbers are 16-bit integers.
//! The squared, clipped activation is computed as in <https://www.chessprogramming.org/NNUE>.

mod file;

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

pub use file::{MAGIC, Weights, WeightsError};

/// Integer that represents an output weight of 1.
pub const OUTPUT_ONE: i16 = 64;
/// Largest output weight: its product with a clipped hidden neuron fits in 16 bits.
pub const MOST_OUTPUT: i16 = 127;
/// Largest number of hidden neurons per side: the weighted sum of both sides fits in 32 bits.
const MOST_HIDDEN: usize = i32::MAX as usize / (2 * MOST_OUTPUT as usize * HIDDEN_ONE as usize * HIDDEN_ONE as usize);

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
    inputs: Cow<'static, [Row<HIDDEN>]>,
    /// Biases of the hidden neurons in each stage of the game, in the same unit.
    biases: [Row<HIDDEN>; STAGES],
    buckets: [Bucket<HIDDEN>; BUCKETS],
    /// Weights of each direct feature as they are in a file.
    direct: Cow<'static, [[u8; 2]]>,
    /// Score of an output of 1, in hundredths of the evaluation's unit.
    unit: i16,
}

/// The last layer, for positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bucket<const HIDDEN: usize> {
    /// Weights of the squared neurons of the side to move and of the other side, in units of 1 / [`OUTPUT_ONE`].
    weights: [Row<HIDDEN>; 2],
    /// Output if all neurons are 0, in units of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
    bias: i32,
}

impl<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> Network<HIDDEN, STAGES, BUCKETS> {
    /// The network's value of a position, in hundredths of the evaluation's unit, given the features that the side to
    /// move and the other side see. `direct` is the sum of the weights of the direct features.
    #[inline]
    pub(crate) fn value(&self, stage: usize, bucket: usize, features: [&[u16]; 2], direct: i32) -> i32 {
        let Bucket { weights, bias } = &self.buckets[bucket];
        let sum = weighted(&self.biases[stage], &self.inputs, features, weights);
        let output = sum / i32::from(HIDDEN_ONE) + bias + direct;
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        ((i64::from(output) * i64::from(self.unit)) / i64::from(one)) as i32
    }

    #[inline(always)]
    pub(crate) fn direct(&self) -> DirectWeights<'_> {
        DirectWeights(&self.direct)
    }
}

/// Weights of the direct features of a network, in units of an output of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
#[derive(Clone, Copy)]
pub(crate) struct DirectWeights<'a>(&'a [[u8; 2]]);

impl DirectWeights<'_> {
    #[inline(always)]
    pub(crate) fn get(self, feature: usize) -> i16 {
        i16::from_le_bytes(self.0[feature])
    }
}

/// Integer that represents a hidden neuron's value of 1, at which neurons are clipped.
pub const HIDDEN_ONE: i16 = 255;

/// One number per hidden neuron: biases, or the weights of a feature. Aligned for vector loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Row<const HIDDEN: usize>([i16; HIDDEN]);

// Vector arithmetic, compiled three times: for every machine, for those with AVX2, whose vectors are twice as wide, and for
// those with AVX-512, where they are four times as wide. The loops count places: the compiler knows their length, which it
// forgets in a chain of iterators.

/// Returns the sum of the hidden neurons of both sides, each clipped, squared and weighted. A side's hidden neurons are
/// the biases plus the weights of the features that it sees.
#[inline(always)]
fn weighted<const HIDDEN: usize>(
    biases: &Row<HIDDEN>,
    inputs: &[Row<HIDDEN>],
    features: [&[u16]; 2],
    weights: &[Row<HIDDEN>; 2],
) -> i32 {
    // Returns the sum as compiled for machines with a feature, if this is one.
    #[cfg(target_arch = "x86_64")]
    macro_rules! return_if_machine_has {
        ($feature:tt) => {{
            #[target_feature(enable = $feature)]
            fn wide<const HIDDEN: usize>(
                biases: &Row<HIDDEN>,
                inputs: &[Row<HIDDEN>],
                features: [&[u16]; 2],
                weights: &[Row<HIDDEN>; 2],
            ) -> i32 {
                plain(biases, inputs, features, weights)
            }
            if std::arch::is_x86_feature_detected!($feature) {
                // SAFETY: `wide` requires only this feature, which the machine has.
                #[expect(unsafe_code, reason = "functions with target features are unsafe to call")]
                return unsafe { wide(biases, inputs, features, weights) };
            }
        }};
    }
    #[cfg(target_arch = "x86_64")]
    {
        return_if_machine_has!("avx512bw");
        return_if_machine_has!("avx2");
    }
    plain(biases, inputs, features, weights)
}

#[inline(always)]
fn plain<const HIDDEN: usize>(
    biases: &Row<HIDDEN>,
    inputs: &[Row<HIDDEN>],
    features: [&[u16]; 2],
    weights: &[Row<HIDDEN>; 2],
) -> i32 {
    let mut total = 0;
    for side in 0..2 {
        // A copy, which the compiler keeps in registers.
        let mut sums = *biases;
        for &feature in features[side] {
            let added = &inputs[usize::from(feature)];
            for place in 0..HIDDEN {
                sums.0[place] = sums.0[place].wrapping_add(added.0[place]);
            }
        }
        for place in 0..HIDDEN {
            let clipped = sums.0[place].clamp(0, HIDDEN_ONE);
            // This fits because weights are at most MOST_OUTPUT. One instruction then sums two products at a time.
            total += i32::from(clipped.wrapping_mul(weights[side].0[place])) * i32::from(clipped);
        }
    }
    total
}

/// Weights embedded in the program, or read from a file. Only a program that asks for the embedded ones contains them.
#[derive(Clone, Debug)]
pub(crate) enum Source<W: 'static> {
    Embedded(&'static W),
    /// Weights read from a file; clones share them.
    Read(Arc<W>),
}

impl<W> Deref for Source<W> {
    type Target = W;

    #[inline(always)]
    fn deref(&self) -> &W {
        match self {
            Source::Embedded(weights) => weights,
            Source::Read(weights) => weights,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_computes_what_every_machine_does() {
        let mut state = 1_u32;
        let mut row = |limit: i16| {
            Row([(); 128].map(|()| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) as i16 % limit
            }))
        };
        let (biases, weights) = (row(100), [row(128), row(128)]);
        let inputs: Vec<_> = (0..50).map(|_| row(200)).collect();
        for features in [[&[0_u16, 7, 49][..], &[3, 3, 20, 30]], [&[], &[48, 1]]] {
            assert_eq!(weighted(&biases, &inputs, features, &weights), plain(&biases, &inputs, features, &weights));
        }
    }

    /// A network of two hidden neurons with these weights of its features, whose value is the square of the first neuron of
    /// the side to move, less that of the second of the other side.
    fn network(inputs: [[i16; 2]; 4]) -> Network<2, 1, 1> {
        let inputs = inputs.map(Vec::from);
        let bucket = (vec![OUTPUT_ONE, 0], vec![0, -OUTPUT_ONE], 0);
        let (biases, buckets) = ([vec![0, 0]], [bucket]);
        let weights =
            Weights { game: "test", unit: 1000, inputs: &inputs, biases: &biases, buckets: &buckets, direct: &[1] };
        Network::read(&weights.to_bytes(), Shape { game: "test", inputs: 4, most_input: 2000, direct: 1 }).unwrap()
    }

    #[test]
    fn the_value_is_that_of_the_formula() {
        let network = network([[0, 0], [HIDDEN_ONE / 2, 0], [0, HIDDEN_ONE / 4], [0, 0]]);
        let about = |features: [&[u16]; 2], expected: i32| {
            let value = network.value(0, 0, features, 0);
            assert!((value - expected).abs() <= 10, "{value}, {expected}");
        };
        about([&[1], &[2]], 250 - 62);
        about([&[2], &[1]], 0);
        about([&[3, 1], &[]], 250);
        about([&[], &[2, 2]], -250);
    }

    #[test]
    fn direct_weights_are_added_to_the_output() {
        let network = network([[0, 0]; 4]);
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        assert_eq!([0, one, -one / 2].map(|direct| network.value(0, 0, [&[], &[]], direct)), [0, 1000, -500]);
    }

    #[test]
    fn hidden_neurons_are_clipped() {
        let network = network([[5 * HIDDEN_ONE, 0], [-5 * HIDDEN_ONE, 0], [0, 0], [0, 0]]);
        let value = |features: &[u16]| network.value(0, 0, [features, &[]], 0);
        assert_eq!([value(&[0]), value(&[1]), value(&[0, 1])], [1000, 0, 0]);
    }
}
