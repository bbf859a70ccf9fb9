//! Positions that the course's rules draw although a side can force a win in the game. Chess tables call such wins
//! cursed, and such losses blessed.
//!
//! Few positions are. They are solved when all others of a material and its counterpart are, again in layers of one ply.
//! They begin with zeroing turns into positions solved earlier, and with the positions one ply before those that take the
//! course's whole limit.

use std::collections::HashMap;

use super::solve::SolvedValues;
use crate::game::{Value, Wdl};
use crate::knowledge::tablebase::board::{Board, Material};
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::probe::BoardHash;
use crate::knowledge::tablebase::turns::{self, Turns};
use crate::knowledge::tablebase::value::{LONGEST, LONGEST_CURSED, Packed};

/// Values of the cursed positions of a material, by their numbers in ascending order.
pub(in crate::knowledge::tablebase) type Cursed = Vec<(u32, Value)>;

/// Solves the cursed positions of a material and its counterpart, whose other positions are solved in `values`.
pub(super) fn solve(material: Material, values: &SolvedValues, threads: usize) -> [Cursed; 2] {
    let mut solver = Solver { values, found: HashMap::default(), layers: vec![Vec::new(); 2 + usize::from(LONGEST)] };
    let mut pair = vec![material, material.swapped()];
    pair.dedup();
    // Without cursed successors, no zeroing turn leads to a cursed position.
    if pair.iter().flat_map(|it| it.successors()).any(|after| !values.cursed(after).is_empty()) {
        let is_first = |board| zeroes_into_cursed(board, values) && solver.derived(board, 0).is_some();
        let boards = |&it| boards(it, values, threads, &[Value::Draw], is_first);
        let first: Vec<_> = pair.iter().flat_map(boards).collect();
        first.into_iter().for_each(|board| solver.settle(board, 0));
    }
    for plies in 0..LONGEST_CURSED {
        let Some(layer) = solver.layers.get_mut(usize::from(plies)) else { break };
        let mut layer = std::mem::take(layer);
        if plies == LONGEST {
            let last = [Value::Win(plies), Value::Loss(plies)];
            layer.extend(pair.iter().flat_map(|&it| boards(it, values, threads, &last, |_| true)));
        }
        for board in layer {
            turns::for_each_quiet_before(board, |before| solver.settle(before, plies));
        }
    }
    let mut both = [material, material.swapped()].map(|material| {
        let index = Index::new(material);
        let own = solver.found.iter().filter(|(board, _)| board.material() == material);
        let mut cursed: Cursed = own.map(|(&board, &value)| (index.of(board), value)).collect();
        cursed.sort_unstable_by_key(|&(number, _)| number);
        cursed
    });
    if pair.len() == 1 {
        both[1] = Vec::new();
    }
    both
}

fn zeroes_into_cursed(board: Board, values: &SolvedValues) -> bool {
    let mut is_cursed = false;
    let mut look = |after: Board| {
        is_cursed |= after.own() > 0 && values.outcome(after) == Wdl::Draw && values.cursed_value(after).is_some();
    };
    if !turns::for_each_jump(board, &mut look) {
        turns::for_each_crowning(board, &mut look);
    }
    is_cursed
}

/// Returns the boards of a material with one of these values that pass a test.
fn boards(
    material: Material,
    values: &SolvedValues,
    threads: usize,
    wanted: &[Value],
    test: impl Fn(Board) -> bool + Sync,
) -> Vec<Board> {
    let (index, bytes) = (Index::new(material), values.bytes(material));
    let share = bytes.len().div_ceil(threads.max(1)).max(1);
    let boards = |(part, bytes): (usize, &[u8])| {
        let numbers = bytes.iter().enumerate().filter(|&(_, &byte)| wanted.iter().any(|&value| Packed(byte).is(value)));
        let boards = numbers.filter_map(|(at, _)| index.board((part * share + at) as u32));
        boards.filter(|&board| test(board)).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = bytes
            .chunks(share)
            .enumerate()
            .map(|part| {
                scope.spawn({
                    let boards = &boards;
                    move || boards(part)
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

struct Solver<'v> {
    values: &'v SolvedValues,
    found: HashMap<Board, Value, BoardHash>,
    /// Boards found, by their distance.
    layers: Vec<Vec<Board>>,
}

impl Solver<'_> {
    /// Stores the value of a board that is drawn so far, if it follows from the values of its turns, when all positions
    /// decided within `layer` plies are found.
    fn settle(&mut self, board: Board, layer: u16) {
        if self.found.contains_key(&board) || self.values.outcome(board) != Wdl::Draw {
            return;
        }
        if let Some(value @ (Value::Win(plies) | Value::Loss(plies))) = self.derived(board, layer) {
            let plies = usize::from(plies);
            if self.layers.len() <= plies {
                self.layers.resize(plies + 1, Vec::new());
            }
            self.layers[plies].push(board);
            self.found.insert(board, value);
        }
    }

    /// Value of a board, if the values found so far decide it. Turns that win after the layer wait for their own.
    fn derived(&self, board: Board, layer: u16) -> Option<Value> {
        let Turns { zeroing, quiet } = Turns::of(board);
        let mut farthest = 0;
        let mut nearest = None;
        let mut is_lost = true;
        for after in zeroing {
            let outcome = if after.own() == 0 {
                Wdl::Loss
            } else {
                self.values.cursed_value(after).map_or_else(|| self.values.outcome(after), Value::outcome)
            };
            match outcome {
                Wdl::Loss => return Some(Value::Win(1)),
                Wdl::Draw => is_lost = false,
                Wdl::Win => farthest = farthest.max(1),
            }
        }
        for after in quiet {
            let value = self.found.get(&after).copied().or(self.values.packed(after).value());
            match value.unwrap_or(Value::Draw) {
                Value::Win(plies) => farthest = farthest.max(plies + 1),
                Value::Loss(plies) if plies <= layer => {
                    nearest = Some(nearest.map_or(plies, |least: u16| least.min(plies)));
                }
                Value::Draw | Value::Loss(_) => is_lost = false,
            }
        }
        match nearest {
            Some(plies) => Some(Value::Win(plies + 1)),
            None => is_lost.then_some(Value::Loss(farthest)),
        }
    }
}
