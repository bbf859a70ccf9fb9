//! Retrograde analysis of all positions of a material, together with its counterpart.
//!
//! The method follows K. Thompson, "Retrograde analysis of certain endgames", 1986. The count of open turns follows
//! R. Lake, J. Schaeffer, P. Lu, "Solving large retrograde analysis problems using a network of workstations", 1994.
//!
//! A position is won only if the winner can force a zeroing turn within 50 plies into another won position, because 50
//! quiet turns draw the game (§1). Zeroing turns lead to materials solved earlier. Quiet turns lead from the material
//! to its counterpart and back, and are solved backward in layers of one ply.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::values::SolvedValues;
use crate::game::{Value, Wdl};
use crate::knowledge::tablebase::board::Board;
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::material::Material;
use crate::knowledge::tablebase::turns;
use crate::knowledge::tablebase::value::{LONGEST, Packed};

/// Marks an undecided position. The solver adds the number of open turns: the quiet turns not known to lose, plus 1 if
/// a zeroing turn draws.
const OPEN: u8 = Packed::FREE;
/// Number of positions that share a bit of the layers.
const CHUNK: u32 = 1 << 10;
/// Number of chunks that a thread takes at a time.
const SHARE: u32 = 16;

/// A material being solved.
struct Slice {
    index: Index,
    /// [`Packed`] values, or `OPEN` plus the number of open turns.
    values: Vec<AtomicU8>,
    /// Layers of each chunk, by [`LayerSide`]. Bit `n` is set if there may be a position decided in `n` plies.
    layers: Vec<[AtomicU64; 2]>,
}

/// The outcome of a layer's positions for the side to move.
#[derive(Clone, Copy)]
enum LayerSide {
    Won,
    Lost,
}

/// Solves a material and its counterpart. Returns the [`Packed`] values of each, by number.
///
/// The second array is empty if the counterpart is the material itself. Calls `watch` with each layer's distance in
/// plies before solving the layer.
pub(super) fn solve(
    material: Material,
    solved: &SolvedValues,
    threads: usize,
    watch: &mut dyn FnMut(u16),
) -> [Vec<u8>; 2] {
    let slice = Slice::new(material);
    let counterpart = (material.swapped() != material).then(|| Slice::new(material.swapped()));
    let pair = match &counterpart {
        Some(other) => [(&slice, other), (other, &slice)].to_vec(),
        None => vec![(&slice, &slice)],
    };
    watch(0);
    for (slice, _) in &pair {
        for_each_chunk(slice, threads, |chunk| slice.initialize(chunk, solved));
    }
    for plies in 1..=LONGEST {
        watch(plies);
        for side in [LayerSide::Lost, LayerSide::Won] {
            for (from, to) in &pair {
                for_each_chunk(from, threads, |chunk| from.propagate(chunk, side, plies - 1, to));
            }
        }
    }
    drop(pair);
    [slice.finish(), counterpart.map(Slice::finish).unwrap_or_default()]
}

/// Calls `work` for every chunk, on all threads.
fn for_each_chunk(slice: &Slice, threads: usize, work: impl Fn(u32) + Sync) {
    let count = slice.layers.len() as u32;
    let next = AtomicU32::new(0);
    let run = || {
        loop {
            let first = next.fetch_add(SHARE, Relaxed);
            if first >= count {
                break;
            }
            (first..(first + SHARE).min(count)).for_each(&work);
        }
    };
    // In a small slice, threads cost more than they save.
    let threads = threads.min(count as usize / 256);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

impl Slice {
    fn new(material: Material) -> Slice {
        let index = Index::new(material);
        let values = (0..index.len()).map(|_| AtomicU8::new(0)).collect();
        let layers = (0..index.len().div_ceil(CHUNK)).map(|_| Default::default()).collect();
        Slice { index, values, layers }
    }

    fn numbers(&self, chunk: u32) -> std::ops::Range<u32> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.index.len())
    }

    /// Sets the values of a chunk's positions that follow from zeroing turns, or from a lack of turns.
    fn initialize(&self, chunk: u32, solved: &SolvedValues) {
        for number in self.numbers(chunk) {
            let byte = match self.index.board(number) {
                None => Packed::NONE.0,
                Some(board) => initial(board, solved),
            };
            self.set(number, byte);
        }
    }

    fn set(&self, number: u32, byte: u8) {
        self.values[number as usize].store(byte, Relaxed);
        let (side, plies) = match Packed(byte).value() {
            Some(Value::Win(plies)) => (LayerSide::Won, plies),
            Some(Value::Loss(plies)) => (LayerSide::Lost, plies),
            _ => return,
        };
        let layers = &self.layers[(number / CHUNK) as usize][side as usize];
        if layers.load(Relaxed) & 1 << plies == 0 {
            layers.fetch_or(1 << plies, Relaxed);
        }
    }

    /// Updates the positions from which a quiet turn leads to positions of a chunk that are decided in `plies` plies.
    fn propagate(&self, chunk: u32, side: LayerSide, plies: u16, to: &Slice) {
        if self.layers[chunk as usize][side as usize].load(Relaxed) & 1 << plies == 0 {
            return;
        }
        let layer = match side {
            LayerSide::Won => Value::Win(plies),
            LayerSide::Lost => Value::Loss(plies),
        };
        for number in self.numbers(chunk) {
            if !Packed(self.values[number as usize].load(Relaxed)).is(layer) {
                continue;
            }
            let Some(board) = self.index.board(number) else { continue };
            turns::for_each_quiet_before(board, |before| {
                let number = to.index.of(before);
                let value = &to.values[number as usize];
                // Decided positions, which include all positions with a jump, keep their values.
                if value.load(Relaxed) <= OPEN {
                    return;
                }
                match side {
                    LayerSide::Lost => to.set(number, Packed::new(Value::Win(plies + 1)).0),
                    // This was the last open turn, so all turns lose.
                    LayerSide::Won if value.fetch_sub(1, Relaxed) == OPEN + 1 => {
                        to.set(number, Packed::new(Value::Loss(plies + 1)).0);
                    }
                    LayerSide::Won => {}
                }
            });
        }
    }

    /// Returns the values. Positions that are still open are drawn.
    fn finish(self) -> Vec<u8> {
        let closed = |byte: u8| {
            if byte > OPEN && byte != Packed::NONE.0 { Packed::new(Value::Draw).0 } else { byte }
        };
        self.values.into_iter().map(|value| closed(value.into_inner())).collect()
    }
}

/// Returns the initial byte of a position: its value, if no quiet turn can change it.
fn initial(board: Board, solved: &SolvedValues) -> u8 {
    let mut best = None;
    let mut rate = |after: Board| {
        let outcome = if after.own() == 0 { Wdl::Loss } else { solved.outcome(after) };
        best = best.max(Some(outcome.reversed()));
    };
    if turns::for_each_jump(board, &mut rate) {
        return best.map_or(Packed::NONE, |outcome| Packed::jumping(Value::by_zeroing(outcome))).0;
    }
    turns::for_each_crowning(board, &mut rate);
    match (best, turns::count_quiet(board) as u8) {
        (Some(Wdl::Win), _) => Packed::new(Value::Win(1)).0,
        (Some(outcome), 0) => Packed::new(Value::by_zeroing(outcome)).0,
        (None, 0) => Packed::new(Value::Loss(0)).0,
        // A turn that draws stays open.
        (Some(Wdl::Draw), quiet) => OPEN + quiet + 1,
        (_, quiet) => OPEN + quiet,
    }
}
