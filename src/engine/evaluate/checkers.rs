//! The evaluation for checkers: a small network, learned from self-play.

mod features;

use std::sync::Arc;

use super::network::{HIDDEN_ONE, Network, Row, Shape, Source, WeightsError};
use crate::checkers::{Move, Position};
use crate::game::Evaluator;
use crate::score::Score;
use features::seen;
pub use features::{
    BLOCKS, BUCKETS, Feature, INPUTS, PLACES, STAGES, TILES, bucket, counts, is_man, places, stage, turn_around,
};

/// Number of hidden neurons per side.
pub const HIDDEN: usize = 128;
/// Shape of the network.
pub const SHAPE: Shape = Shape { game: "checkers", inputs: INPUTS, most_input: 5 * HIDDEN_ONE, direct: 0 };

type Weights = Network<HIDDEN, STAGES, BUCKETS>;

/// The embedded weight file.
pub const EMBEDDED: &[u8] = include_bytes!("checkers/embedded.weights");
/// The embedded weights of the features, decoded at compile time. They are used in place, so the system loads only the
/// pages that a search touches.
static INPUT_WEIGHTS: [Row<HIDDEN>; INPUTS] = Weights::decode_inputs(EMBEDDED);
static INSIDE: Weights = Network::decode(EMBEDDED, SHAPE, &INPUT_WEIGHTS);

/// The evaluation for checkers, by default with the embedded weights. 100 is about one man.
#[derive(Clone, Debug)]
pub struct Evaluation {
    network: Source<Weights>,
}

/// The embedded weights.
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { network: Source::Embedded(&INSIDE) }
    }
}

impl Evaluation {
    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    /// The bytes are not checkers weights, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Evaluation, WeightsError> {
        Ok(Evaluation { network: Source::Read(Arc::new(Network::read(bytes, SHAPE)?)) })
    }
}

/// Computed from the position alone.
impl Evaluator<Position> for Evaluation {
    type State = ();

    const IS_COSTLY: bool = true;

    fn start(&self, _: &Position) {}

    fn advance(&self, (): &(), _: &Position, _: Move, _: &Position, (): &mut ()) {}

    fn passed(&self, (): &(), _: &Position, (): &mut ()) {}

    // Not inlined: other crates would compile its loops with less optimization.
    #[inline(never)]
    fn evaluate(&self, (): &(), position: &Position) -> Score {
        let ([black, white], kings) = (position.pieces, position.kings.count_ones());
        let pieces = (black | white).count_ones();
        let (stage, bucket) = (stage(pieces, kings), bucket(pieces, kings));
        let [own, theirs] = seen(position, stage);
        Score::estimate(self.network.value(stage, bucket, [&own, &theirs], 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Score {
        let (evaluation, position) = (Evaluation::default(), text.parse().unwrap());
        evaluation.evaluate(&(), &position)
    }

    #[test]
    fn the_embedded_weights_are_those_of_their_file() {
        let read = Evaluation::read(EMBEDDED).unwrap();
        assert!(*read.network == INSIDE);
    }

    #[test]
    fn flipped_positions_have_the_same_value() {
        let evaluation = Evaluation::default();
        for text in ["B:W18,24,K27:B12,K16,20", "W:W21,22,30:B1,2,K11", "B:WK1:BK32,K31"] {
            let flipped = text.parse::<Position>().unwrap().flipped();
            assert_eq!(value(text), evaluation.evaluate(&(), &flipped), "{text}");
        }
    }

    #[test]
    fn pieces_count() {
        for (more, fewer) in [
            ("W:W21,22,23,27:B1,2,3,6", "W:W21,22,23:B1,2,3,6"),
            ("W:WK21,22,30:B1,2,6", "W:W21,22,30:B1,2,6"),
            ("B:W21,22,23,24,25,26:B1,2,3,4,5,6", "B:W21,22,23,24,25,26:B1,2,3,4,5"),
        ] {
            assert!(value(more) > value(fewer), "{more}: {}, {fewer}: {}", value(more), value(fewer));
        }
    }

    #[test]
    fn with_level_material_the_better_side_has_the_higher_value() {
        // Deep searches find the side to move in trouble.
        for text in ["B:W11,22,23,24,30,31:B2,3,9,13,16,21", "W:W12,13,21,25,27,28,29,30,31,32:B1,2,3,5,6,7,8,15,18,20"]
        {
            assert!(value(text) <= Score::estimate(-15), "{text}: {}", value(text));
        }
    }
}
