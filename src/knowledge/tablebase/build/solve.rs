//! How are all positions of a material solved? By retrograde analysis, together with its counterpart. K. Thompson,
//! "Retrograde analysis of certain endgames", 1986; the count of turns still open: R. Lake, J. Schaeffer, P. Lu,
//! "Solving large retrograde analysis problems using a network of workstations", 1994.
//!
//! A win counts only if the winner can force a zeroing turn within 50 plies into a position that is won as well (§1:
//! drawn after 50 quiet turns). Zeroing turns lead to materials solved before; quiet turns lead from the material to
//! its counterpart and back, and are solved backwards, one ply a layer.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::game::{Value, Wdl};
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

/// An undecided position; added to it is the number of its turns still open: quiet ones not known to lose, and one if a
/// zeroing turn draws.
const OPEN: u8 = Packed::FREE;
/// Positions that share a bit of the layers.
const CHUNK: u32 = 1 << 10;
/// Chunks that a thread takes at a time.
const SHARE: u32 = 16;

/// A material being solved.
struct Slice {
    index: Index,
    /// [`Packed`]; or `OPEN` and the number of turns still open.
    values: Vec<AtomicU8>,
    /// Of each chunk, by [`LayerSide`]: bit `n`, whether there may be a position decided in `n` plies.
    layers: Vec<[AtomicU64; 2]>,
}

/// Positions of a layer are won or lost for the side to move.
#[derive(Clone, Copy)]
enum LayerSide {
    Won,
    Lost,
}

/// Solves a material and its counterpart: the values of each by number, [`Packed`].
///
/// The second is empty if the counterpart is the material itself.
/// `watch` is called with every layer, in plies, before it is solved.
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
    // For a small slice threads cost more than they save.
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

    /// Sets what the zeroing turns, or a lack of turns, say of a chunk's positions.
    fn initialize(&self, chunk: u32, solved: &impl Solved) {
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

    /// Updates the positions from which a quiet turn leads to those of a chunk that are decided in `plies` plies.
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
                // A decided one, which includes all that have to jump, keeps its value.
                if value.load(Relaxed) <= OPEN {
                    return;
                }
                match side {
                    LayerSide::Lost => to.set(number, Packed::new(Value::Win(plies + 1)).0),
                    // The last open turn: all lose.
                    LayerSide::Won if value.fetch_sub(1, Relaxed) == OPEN + 1 => {
                        to.set(number, Packed::new(Value::Loss(plies + 1)).0);
                    }
                    LayerSide::Won => {}
                }
            });
        }
    }

    /// The values; what is still open is drawn.
    fn finish(self) -> Vec<u8> {
        let closed = |byte: u8| {
            if byte > OPEN && byte != Packed::NONE.0 { Packed::new(Value::Draw).0 } else { byte }
        };
        self.values.into_iter().map(|value| closed(value.into_inner())).collect()
    }
}

/// A position's first byte: its value if no quiet turn can change it.
fn initial(board: Board, solved: &impl Solved) -> u8 {
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
        // A turn that draws stays open.
        (Some(Wdl::Draw), quiet) => OPEN + quiet + 1,
        (_, quiet) => OPEN + quiet,
    }
}
