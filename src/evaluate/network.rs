//! A small neural network, updated move by move: what a learned evaluation computes.
//!
//! ```text
//! pieces as the side to move sees them  --+-> HIDDEN numbers -- squared ReLU --+
//!                                         |   (the same weights)               +--> one number, by weights of its bucket
//! pieces as the other side sees them    --+-> HIDDEN numbers -- squared ReLU --+
//! ```
//!
//! The inputs of a side are 128 bits, 64 for its own pieces and 64 for the other's; their weights depend on the stage of
//! the game. A move changes few inputs, so the hidden numbers are kept beside the position and updated: Y. Nasu,
//! "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018. All numbers are 16-bit
//! integers; the squared, clipped activation is computed as in <https://www.chessprogramming.org/NNUE>.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `row` | how hidden numbers are added and weighted |
//! | `file` | how weights are kept in a file |

mod file;
mod row;

pub use file::{MAGIC, Weights, WeightsError};
use row::{Row, Rows};

/// Inputs of one side: 64 for its own pieces, 64 for the other's.
pub const INPUTS: usize = 128;
/// A hidden number of 1, and the most that counts.
pub const HIDDEN_ONE: i16 = 255;
/// An output weight of 1.
pub const OUTPUT_ONE: i16 = 64;
/// The largest output weight: its product with a hidden number fits 16 bits.
pub const MOST_OUTPUT: i16 = 127;
/// The most hidden numbers a side: the weighted sum of both sides' fits 32 bits.
const MOST_HIDDEN: usize = i32::MAX as usize / (2 * MOST_OUTPUT as usize * HIDDEN_ONE as usize * HIDDEN_ONE as usize);

/// The weights of a network with `HIDDEN` hidden numbers a side, as they are used: those inside a program need no reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> {
    stages: [Stage<HIDDEN>; STAGES],
    buckets: [Bucket<HIDDEN>; BUCKETS],
    /// The score of an output of 1, in hundredths of the evaluation's unit.
    unit: i16,
}

/// The first layer, for one stage of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stage<const HIDDEN: usize> {
    /// What each input adds to the hidden numbers, in units of 1 / [`HIDDEN_ONE`].
    inputs: [Row<HIDDEN>; INPUTS],
    /// The hidden numbers without any input, likewise.
    bias: Row<HIDDEN>,
}

/// The last layer, for positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bucket<const HIDDEN: usize> {
    /// What the squared hidden numbers of the side to move and of the other add, in units of 1 / [`OUTPUT_ONE`].
    weights: Rows<HIDDEN>,
    /// In units of 1 / ([`HIDDEN_ONE`] * [`OUTPUT_ONE`]).
    bias: i32,
}

/// The hidden numbers of both sides before they are clipped, Black's first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden<const HIDDEN: usize>(Rows<HIDDEN>);

/// Inputs that change with a move, as each side sees them: Black's first.
pub(crate) type Input = [usize; 2];

impl<const HIDDEN: usize, const STAGES: usize, const BUCKETS: usize> Network<HIDDEN, STAGES, BUCKETS> {
    /// The hidden numbers of a position in this stage with these inputs.
    pub(crate) fn hidden(&self, stage: usize, inputs: impl Iterator<Item = Input>) -> Hidden<HIDDEN> {
        let mut hidden = Hidden([self.stages[stage].bias; 2]);
        for input in inputs {
            row::add(&mut hidden.0, self.weights(stage, input));
        }
        hidden
    }

    /// Takes the input of a captured piece away.
    #[inline(always)]
    pub(crate) fn remove(&self, stage: usize, hidden: &mut Hidden<HIDDEN>, input: Input) {
        row::subtract(&mut hidden.0, self.weights(stage, input));
    }

    /// The hidden numbers after a piece moved within a stage, in one pass: most moves do nothing else.
    #[inline(always)]
    pub(crate) fn moved(&self, stage: usize, hidden: &Hidden<HIDDEN>, from: Input, to: Input) -> Hidden<HIDDEN> {
        Hidden(row::exchanged(&hidden.0, self.weights(stage, from), self.weights(stage, to)))
    }

    /// What an input adds to the hidden numbers of each side.
    #[inline(always)]
    fn weights(&self, stage: usize, input: Input) -> [&Row<HIDDEN>; 2] {
        let weights = &self.stages[stage].inputs;
        input.map(|input| &weights[input & (INPUTS - 1)])
    }

    /// The network's value for the side of index `turn`, in hundredths of the evaluation's unit.
    #[inline]
    pub(crate) fn value(&self, hidden: &Hidden<HIDDEN>, turn: usize, bucket: usize) -> i32 {
        let Bucket { weights, bias } = &self.buckets[bucket];
        let sum = row::weighted([&hidden.0[turn & 1], &hidden.0[turn & 1 ^ 1]], weights);
        let one = i32::from(HIDDEN_ONE) * i32::from(OUTPUT_ONE);
        ((i64::from(sum / i32::from(HIDDEN_ONE) + bias) * i64::from(self.unit)) / i64::from(one)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_that_of_the_formula() {
        // Hidden number 0 counts own pieces on bit 3 by a half, number 1 the other side's on bit 5 by a quarter.
        let mut inputs = vec![vec![0; 2]; INPUTS];
        (inputs[3][0], inputs[64 + 5][1]) = (HIDDEN_ONE / 2, HIDDEN_ONE / 4);
        let bucket = (vec![OUTPUT_ONE, 0], vec![0, -OUTPUT_ONE], 0);
        let weights = Weights { game: "test", unit: 1000, stages: &[(inputs, vec![0, 0])], buckets: &[bucket] };
        let network: Network<2, 1, 1> = Network::read(&weights.to_bytes(), "test").unwrap();
        let mut hidden = network.hidden(0, [[3, 64 + 5]].into_iter());
        let about = |value: i32, expected: i32| assert!((value - expected).abs() <= 10, "{value}, {expected}");
        // Black's piece: a half, squared, for Black; a quarter, squared, less where White is to move and Black "the other".
        about(network.value(&hidden, 0, 0), 250 - 62);
        about(network.value(&hidden, 1, 0), 0);
        assert_eq!(network.moved(0, &hidden, [3, 69], [3, 69]), hidden);
        network.remove(0, &mut hidden, [3, 69]);
        assert_eq!(hidden, network.hidden(0, std::iter::empty()));
        assert_eq!(network.value(&hidden, 0, 0), 0);
    }

    #[test]
    fn hidden_numbers_are_clipped() {
        let mut inputs = vec![vec![0; 2]; INPUTS];
        (inputs[0], inputs[1]) = (vec![5 * HIDDEN_ONE, 0], vec![-5 * HIDDEN_ONE, 0]);
        let bucket = (vec![OUTPUT_ONE, 0], vec![0, 0], 0);
        let weights = Weights { game: "test", unit: 1000, stages: &[(inputs, vec![0, 0])], buckets: &[bucket] };
        let network: Network<2, 1, 1> = Network::read(&weights.to_bytes(), "test").unwrap();
        let value = |inputs: &[Input]| network.value(&network.hidden(0, inputs.iter().copied()), 0, 0);
        assert_eq!([value(&[[0, 9]]), value(&[[1, 9]]), value(&[[0, 9], [1, 9]])], [1000, 0, 0]);
    }
}
