//! Initial weights: networks that only count pieces, or quads.

use kingline::evaluate::checkers::{BLOCKS, Feature, PLACES, is_man};
use kingline::evaluate::loa::quads;
use kingline::evaluate::network::{HIDDEN_ONE, OUTPUT_ONE, Weights};
use kingline_players::game_name::GameName;

use super::game_name::view;
use super::view::View;

/// Returns the initial weights of a game. In checkers, a man is worth 100 and a king 125. In Lines of Action, each
/// quad in which own pieces touch is worth 25.
pub(super) fn weights(game: GameName) -> Vec<u8> {
    match game {
        GameName::Checkers => counting(view(game), [MAN, 100], material),
        GameName::Loa => counting(view(game), [1, 25], |feature| touching(8, feature)),
        GameName::Loa6 => counting(view(game), [1, 25], |feature| touching(6, feature)),
    }
}

/// Weight of a man in neuron 0. A lead of 12 kings fits the neuron's range.
const MAN: i16 = 8;
const KING: i16 = 10;

/// Returns the weight of a checkers feature: the sum over its pieces. Columns weigh nothing, since blocks hold each piece
/// once.
fn material(number: usize) -> i16 {
    let worth = |place: usize| {
        let piece = if is_man(place) { MAN } else { KING };
        if place < PLACES / 2 { piece } else { -piece }
    };
    let feature = Feature::numbered(number);
    if feature.tile < BLOCKS { feature.places().map(worth).sum() } else { 0 }
}

/// Returns 1 for a quad in which own pieces touch, -1 for one in which the other side's pieces do, 0 for both or neither.
fn touching(n: usize, feature: usize) -> i16 {
    let touch = |is_own: bool| quads::places(n, feature).filter(|place| (*place < 64) == is_own).count() > 1;
    i16::from(touch(true)) - i16::from(touch(false))
}

/// Returns a network whose value is the lead in the sum of the features' weights; a lead of `lead` is worth `worth`.
///
/// Entry 0 of a side's accumulator is 1/2 plus its lead, so that the squares of both sides differ by twice the lead.
fn counting(view: &View, [lead, worth]: [i16; 2], weight: impl Fn(usize) -> i16) -> Vec<u8> {
    let first = |number: i16| {
        let mut row = vec![0; view.hidden];
        row[0] = number;
        row
    };
    let inputs: Vec<_> = (0..view.shape.inputs).map(|feature| first(weight(feature))).collect();
    let buckets = vec![(first(OUTPUT_ONE), first(-OUTPUT_ONE), 0); view.buckets];
    let unit = i32::from(worth) * i32::from(HIDDEN_ONE) / (2 * i32::from(lead));
    Weights {
        game: view.shape.game,
        unit: unit as i16,
        inputs: &inputs,
        biases: &vec![first(HIDDEN_ONE / 2); view.stages],
        buckets: &buckets,
        direct: &vec![0; view.shape.direct],
    }
    .to_bytes()
}
