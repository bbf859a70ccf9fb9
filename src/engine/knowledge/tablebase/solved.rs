//! Test helpers: values of positions of up to four pieces, solved without the embedded tables; samples of such
//! positions; games that lead to them.

use std::sync::LazyLock;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::board::Board;
use super::build::{SolvedValues, numbers};
use super::index::Index;
use super::material::Material;
use super::turns::for_each_quiet_before;
use super::value::LONGEST;
use crate::checkers::{Move, Position};
use crate::game::{Game, History, MoveList, Progress, Value};

/// Iterates over the materials of up to four pieces.
pub(super) fn materials() -> impl Iterator<Item = Material> {
    (2..=4).flat_map(|pieces| Material::all(pieces, 3))
}

/// Value of a position of up to four pieces.
pub(super) fn exact(position: &Position) -> Value {
    static VALUES: LazyLock<SolvedValues> = LazyLock::new(|| {
        let mut values = SolvedValues::new();
        for material in materials() {
            if !values.has(material) {
                values.solve(material, 2, &mut |_| ()).unwrap();
            }
        }
        values
    });
    if position.count(position.turn()) == 0 { Value::Loss(0) } else { VALUES.exact(position).unwrap() }
}

/// Value of a position for the side to move if it makes this turn, with no quiet turn before it.
pub(super) fn worth(position: &Position, mv: Move) -> Value {
    let value = exact(&position.play(mv));
    match value {
        _ if position.progress(mv) == Progress::Zeroing => Value::by_zeroing(value.outcome().reversed()),
        Value::Loss(plies) if plies < LONGEST => Value::Win(plies + 1),
        Value::Win(plies) if plies < LONGEST => Value::Loss(plies + 1),
        _ => Value::Draw,
    }
}

/// Samples about `count` positions of a material, with White to move.
pub(super) fn some(material: Material, count: u32) -> impl Iterator<Item = Position> {
    let all = numbers(material);
    (0..all)
        .step_by((all / count + 1) as usize)
        .filter_map(move |number| Index::new(material).board(number))
        .map(Board::position)
}

pub(super) fn turns(position: &Position) -> MoveList<Move> {
    position.legal_moves()
}

/// Returns a game that leads to a position by `quiet_turns` quiet turns, without a repetition; `None` if none was
/// found.
pub(super) fn game_to(position: Position, quiet_turns: usize, rng: &mut StdRng) -> Option<History<Position>> {
    let mut backward = vec![position];
    while backward.len() <= quiet_turns {
        let now = backward[backward.len() - 1];
        let mut before = Vec::new();
        // A board converts to a position with White to move, but sides must alternate.
        for_each_quiet_before(Board::of(&now), |board| before.push(board.position()));
        if now.turn() == before.first()?.turn() {
            before.iter_mut().for_each(|position| *position = position.flipped());
        }
        before.shuffle(rng);
        let fits = |earlier: &Position| !earlier.must_jump() && !backward.contains(earlier);
        backward.push(before.into_iter().find(fits)?);
    }
    let mut history = History::new(backward.pop()?);
    while let Some(next) = backward.pop() {
        let position = history.position();
        let mv = turns(&position).iter().copied().find(|&mv| position.play(mv) == next)?;
        history.play(mv);
    }
    Some(history)
}
