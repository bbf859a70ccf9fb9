//! Retrograde analysis of a material and its counterpart. K. Thompson, "Retrograde analysis of certain
//! endgames", 1986; the count of turns still open: R. Lake, J. Schaeffer, P. Lu, "Solving large retrograde
//! analysis problems using a network of workstations", 1994.
//!
//! A win counts only if the winner can force a zeroing turn within 50 plies into a position that is won
//! as well (§1: drawn after 50 quiet turns). Zeroing turns lead to materials solved before; the quiet ones
//! go to and fro between the material and its counterpart, and are solved backwards, one ply a layer.

use crate::game::{Value, Wdl};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::knowledge::tablebase::board::Board;
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::material::Material;
use crate::knowledge::tablebase::turns;
use crate::knowledge::tablebase::value::{LONGEST, Packed};

/// What is known of the positions solved before.
pub(super) trait Solved: Sync {
    /// What a position is worth for its side to move, which has at least one piece.
    fn outcome(&self, board: Board) -> Wdl;
}

/// A position of which nothing is known but how many quiet turns, or drawing ones, are still open.
const OPEN: u8 = Packed::FREE;
/// Positions looked after together.
const CHUNK: u32 = 1 << 10;
/// Chunks that a thread takes at a time.
const SHARE: u32 = 16;

/// One material in the making.
struct Slice {
    index: Index,
    /// [`Packed`]; or `OPEN` and the number of turns still open.
    values: Vec<AtomicU8>,
    /// Of each chunk: bit `n`, whether there may be a position won (0) or lost (1) in `n` plies.
    layers: Vec<[AtomicU64; 2]>,
}

/// The two sides of a layer.
#[derive(Clone, Copy)]
enum LayerSide {
    Won,
    Lost,
}

/// Solves a material and its counterpart: the values of each by number, [`Packed`].
///
/// The second is empty if the counterpart is the material itself.
/// `watch` is told of every layer, in plies, before it is begun.
pub(super) fn solve(
    material: Material,
    solved: &impl Solved,
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
        for_each_chunk(slice, threads, |chunk| slice.begin(chunk, solved));
    }
    for plies in 1..=LONGEST {
        watch(plies);
        for side in [LayerSide::Lost, LayerSide::Won] {
            for (from, to) in &pair {
                for_each_chunk(from, threads, |chunk| from.spread(chunk, side, plies - 1, to));
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
    // Threads cost more than the little that a small slice asks for.
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

    /// What the zeroing turns, or a lack of turns, say of a chunk's positions.
    fn begin(&self, chunk: u32, solved: &impl Solved) {
        for number in self.numbers(chunk) {
            let byte = match self.index.board(number) {
                None => Packed::NONE.0,
                Some(board) => begin(board, solved),
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

    /// Tells the positions from which a quiet turn leads to those of a chunk that are decided in so
    /// many plies.
    fn spread(&self, chunk: u32, side: LayerSide, plies: u16, to: &Slice) {
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
                // One that is decided, also because it has to jump, stays as it is.
                if value.load(Relaxed) <= OPEN {
                    return;
                }
                match side {
                    LayerSide::Lost => to.set(number, Packed::new(Value::Win(plies + 1)).0),
                    // The last turn that was open: all lose.
                    LayerSide::Won if value.fetch_sub(1, Relaxed) == OPEN + 1 => {
                        to.set(number, Packed::new(Value::Loss(plies + 1)).0);
                    }
                    LayerSide::Won => {}
                }
            });
        }
    }

    /// The values; what is open still is drawn.
    fn finish(self) -> Vec<u8> {
        let closed = |byte: u8| {
            if byte > OPEN && byte != Packed::NONE.0 { Packed::new(Value::Draw).0 } else { byte }
        };
        self.values.into_iter().map(|value| closed(value.into_inner())).collect()
    }
}

/// A position's first byte: its value if that is clear without a quiet turn.
fn begin(board: Board, solved: &impl Solved) -> u8 {
    let mut best = None;
    let mut look = |after: Board| {
        let outcome = if after.own() == 0 { Wdl::Loss } else { solved.outcome(after) };
        best = best.max(Some(outcome.reversed()));
    };
    if turns::for_each_jump(board, &mut look) {
        return best.map_or(Packed::NONE, |outcome| Packed::jumping(Value::by_zeroing(outcome))).0;
    }
    turns::for_each_crowning(board, &mut look);
    match (best, turns::count_quiet(board) as u8) {
        (Some(Wdl::Win), _) => Packed::new(Value::Win(1)).0,
        (Some(outcome), 0) => Packed::new(Value::by_zeroing(outcome)).0,
        (None, 0) => Packed::new(Value::Loss(0)).0,
        // A drawing turn is open for ever.
        (Some(Wdl::Draw), quiet) => OPEN + quiet + 1,
        (_, quiet) => OPEN + quiet,
    }
}
