//! Retrograde analysis of all positions of a material, together with its counterpart.
//!
//! The method follows K. Thompson, "Retrograde analysis of certain endgames", 1986. The count of open turns follows
//! R. Lake, J. Schaeffer, P. Lu, "Solving large retrograde analysis problems using a network of workstations", 1994.
//!
//! A position is won only if the winner can force a zeroing turn within 50 plies into another won position, because 50
//! quiet turns draw the game (§1). Zeroing turns lead to materials solved earlier. Quiet turns lead from the material
//! to its counterpart and back, and are solved backward in layers of one ply.

use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::cursed::{self, Cursed};
use crate::checkers::Position;
use crate::game::{Rules, Value, Wdl};
use crate::knowledge::tablebase::board::{Board, MAX_A_SIDE, Material};
use crate::knowledge::tablebase::index::Index;
use crate::knowledge::tablebase::turns;
use crate::knowledge::tablebase::value::{LONGEST, Packed};

/// The exact values of all positions of the materials solved so far, one byte each.
#[derive(Debug)]
pub struct SolvedValues {
    /// Values under the course's rules by [`Material::code`]; empty for a material that is not solved.
    slices: Vec<Vec<u8>>,
    /// Positions with another value under the game's rules, by [`Material::code`].
    cursed: Vec<Cursed>,
}

/// Position counts by value under the course's rules, for one or more materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions won for the side to move.
    pub won: u64,
    /// Drawn positions.
    pub drawn: u64,
    /// Positions lost for the side to move.
    pub lost: u64,
    /// Longest distance in plies.
    pub longest: u16,
    /// Drawn positions that are won or lost under the game's rules.
    pub cursed: u64,
    /// Longest distance of these, in plies.
    pub longest_cursed: u16,
}

/// The reason why a material cannot be solved, or why values are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// A side has no piece, or more than a table allows.
    Size(Material),
    /// A capture or crowning leads to a material that is not solved.
    Missing {
        /// Material to be solved.
        material: Material,
        /// Material that must be solved first.
        before: Material,
    },
    /// The bytes are not values of the material.
    Bytes(Material),
}

impl SolvedValues {
    /// Creates values without any solved material.
    pub fn new() -> SolvedValues {
        SolvedValues { slices: vec![Vec::new(); Material::CODES], cursed: vec![Vec::new(); Material::CODES] }
    }

    /// Returns true if a material is solved.
    pub fn has(&self, material: Material) -> bool {
        !self.slices[material.code()].is_empty()
    }

    /// Solves a material and its counterpart on `threads` threads. Before each layer, calls `watch` with the layer's
    /// distance in plies.
    ///
    /// # Errors
    /// A successor is not solved yet, or the material has more pieces than a table allows.
    pub fn solve(&mut self, material: Material, threads: usize, watch: &mut dyn FnMut(u16)) -> Result<(), SolveError> {
        check_size(material)?;
        if let Some(before) = material.successors().into_iter().find(|&before| !self.has(before)) {
            return Err(SolveError::Missing { material, before });
        }
        let [own, counterpart] = solve(material, self, threads, watch);
        self.slices[material.code()] = own;
        if material.swapped() != material {
            self.slices[material.swapped().code()] = counterpart;
        }
        let [own, counterpart] = cursed::solve(material, self, threads);
        self.cursed[material.code()] = own;
        if material.swapped() != material {
            self.cursed[material.swapped().code()] = counterpart;
        }
        Ok(())
    }

    /// Values of a material under the course's rules, one byte each; empty if it is not solved.
    pub(super) fn bytes(&self, material: Material) -> &[u8] {
        &self.slices[material.code()]
    }

    pub(in crate::knowledge::tablebase) fn cursed(&self, material: Material) -> &Cursed {
        &self.cursed[material.code()]
    }

    /// All values of a material as [`insert`](Self::insert) accepts them; empty if it is not solved.
    pub fn to_bytes(&self, material: Material) -> Vec<u8> {
        let mut bytes = self.bytes(material).to_vec();
        for &(number, value) in self.cursed(material) {
            let packed = match value {
                Value::Win(plies) => plies,
                Value::Loss(plies) => plies | LOST,
                Value::Draw => 0,
            };
            bytes.extend(number.to_le_bytes());
            bytes.extend(packed.to_le_bytes());
        }
        bytes
    }

    /// Inserts values that an earlier run solved.
    ///
    /// # Errors
    /// The number of bytes does not fit the material's positions, or some are not values.
    pub fn insert(&mut self, material: Material, mut bytes: Vec<u8>) -> Result<(), SolveError> {
        check_size(material)?;
        let refused = Err(SolveError::Bytes(material));
        let len = Index::new(material).len() as usize;
        if !bytes.len().checked_sub(len).is_some_and(|more| more.is_multiple_of(CURSED_BYTES)) {
            return refused;
        }
        let cursed = bytes.split_off(len);
        let sound = |&byte: &u8| Packed(byte) == Packed::NONE || Packed(byte).value().is_some();
        if !bytes.iter().all(sound) {
            return refused;
        }
        let mut read: Cursed = Vec::with_capacity(cursed.len() / CURSED_BYTES);
        for record in cursed.chunks_exact(CURSED_BYTES) {
            let number = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
            let packed = u16::from_le_bytes([record[4], record[5]]);
            let is_drawn = bytes.get(number as usize).is_some_and(|&byte| Packed(byte).is(Value::Draw));
            if !is_drawn || read.last().is_some_and(|&(last, _)| last >= number) {
                return refused;
            }
            let plies = packed & !LOST;
            read.push((number, if packed & LOST == 0 { Value::Win(plies) } else { Value::Loss(plies) }));
        }
        self.slices[material.code()] = bytes;
        self.cursed[material.code()] = read;
        Ok(())
    }

    /// Value of a position under these rules; `None` if its material is not solved.
    pub fn exact(&self, position: &Position, rules: Rules) -> Option<Value> {
        let board = Board::of(position);
        if !self.has(board.tabled_material()?) {
            return None;
        }
        let value = self.packed(board).value()?;
        let cursed = if rules == Rules::Game && value == Value::Draw { self.cursed_value(board) } else { None };
        Some(cursed.unwrap_or(value))
    }

    /// Value of a board under the course's rules. The side to move must have a piece, and the material must be solved.
    #[inline]
    pub(super) fn packed(&self, board: Board) -> Packed {
        let material = board.material();
        Packed(self.slices[material.code()][Index::new(material).of(board) as usize])
    }

    /// Outcome of the same.
    #[inline]
    pub(super) fn outcome(&self, board: Board) -> Wdl {
        self.packed(board).value().map_or(Wdl::Draw, Value::outcome)
    }

    /// Value of a board under the game's rules, if the course's draw it and the game's do not.
    pub(super) fn cursed_value(&self, board: Board) -> Option<Value> {
        let material = board.material();
        let (cursed, number) = (self.cursed(material), Index::new(material).of(board));
        Some(cursed[cursed.binary_search_by_key(&number, |&(number, _)| number).ok()?].1)
    }

    /// Counts the positions of a material by their values.
    pub fn census(&self, material: Material) -> Census {
        let mut census = Census::default();
        for &byte in self.bytes(material) {
            let (count, plies) = match Packed(byte).value() {
                None => continue,
                Some(Value::Win(plies)) => (&mut census.won, plies),
                Some(Value::Draw) => (&mut census.drawn, 0),
                Some(Value::Loss(plies)) => (&mut census.lost, plies),
            };
            *count += 1;
            census.longest = census.longest.max(plies);
        }
        for &(_, value) in self.cursed(material) {
            if let Value::Win(plies) | Value::Loss(plies) = value {
                census.cursed += 1;
                census.longest_cursed = census.longest_cursed.max(plies);
            }
        }
        census
    }
}

#[cfg(test)]
impl SolvedValues {
    pub(in crate::knowledge::tablebase) fn up_to(pieces: u8) -> SolvedValues {
        let mut values = SolvedValues::new();
        for material in (2..=pieces).flat_map(|count| Material::all(count, 3)) {
            if !values.has(material) {
                values.solve(material, 2, &mut |_| ()).unwrap();
            }
        }
        values
    }
}

impl Default for SolvedValues {
    fn default() -> SolvedValues {
        SolvedValues::new()
    }
}

impl Census {
    /// Adds the counts. Keeps the longer distance.
    #[must_use]
    pub fn and(self, other: Census) -> Census {
        Census {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            longest: self.longest.max(other.longest),
            cursed: self.cursed + other.cursed,
            longest_cursed: self.longest_cursed.max(other.longest_cursed),
        }
    }

    /// Number of all positions.
    pub fn positions(self) -> u64 {
        self.won + self.drawn + self.lost
    }
}

fn check_size(material: Material) -> Result<(), SolveError> {
    let fits = |pieces: u8| (1..=MAX_A_SIDE).contains(&pieces);
    if fits(material.own()) && fits(material.theirs()) { Ok(()) } else { Err(SolveError::Size(material)) }
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Size(material) => write!(f, "{material}: expected 1 to {MAX_A_SIDE} pieces a side"),
            SolveError::Missing { material, before } => write!(f, "{material} requires {before} to be solved first"),
            SolveError::Bytes(material) => write!(f, "not the values of the positions of {material}"),
        }
    }
}

impl std::error::Error for SolveError {}

/// Bytes of a cursed position in [`SolvedValues::to_bytes`]: its number, and its distance, with [`LOST`] if it is lost.
const CURSED_BYTES: usize = 6;
const LOST: u16 = 1 << 15;

/// Marks an undecided position. The solver adds the number of open turns: the quiet turns not known to lose, plus 1 if
/// a zeroing turn draws.
const OPEN: u8 = Packed::FREE;
/// Number of positions that share a bit of the layers.
const CHUNK: u32 = 1 << 10;
const SHARE: u32 = 16;

struct Slice {
    index: Index,
    /// [`Packed`] values, or `OPEN` plus the number of open turns.
    values: Vec<AtomicU8>,
    /// Layers of each chunk, by [`LayerSide`]. Bit `n` is set if there may be a position decided in `n` plies.
    layers: Vec<[AtomicU64; 2]>,
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn census(values: &SolvedValues, pieces: u8) -> Census {
        Material::all(pieces, 3).into_iter().fold(Census::default(), |sum, material| sum.and(values.census(material)))
    }

    /// Compares with the counts of an independent program.
    #[test]
    fn counts_of_won_drawn_and_lost_positions_are_right() {
        let values = SolvedValues::up_to(3);
        assert_eq!(census(&values, 2), Census { won: 716, drawn: 2_370, lost: 402, longest: 12, ..Census::default() });
        assert_eq!(
            census(&values, 3),
            Census { won: 100_250, drawn: 8_477, lost: 87_305, longest: 34, ..Census::default() }
        );
    }

    #[test]
    fn a_missing_successor_is_an_error() {
        let material = Material { men: 0, kings: 2, their_men: 0, their_kings: 2 };
        let before = material.successors()[0];
        assert_eq!(SolvedValues::new().solve(material, 1, &mut |_| ()), Err(SolveError::Missing { material, before }));
        let large = Material { kings: 7, ..material };
        assert_eq!(SolvedValues::new().solve(large, 1, &mut |_| ()), Err(SolveError::Size(large)));
    }

    #[test]
    fn values_round_trip_through_bytes() {
        let values = SolvedValues::up_to(2);
        let mut again = SolvedValues::new();
        for material in Material::all(2, 1) {
            again.insert(material, values.to_bytes(material)).unwrap();
            let short = values.bytes(material)[1..].to_vec();
            assert_eq!(again.insert(material, short), Err(SolveError::Bytes(material)));
        }
        for text in ["W:WK1:BK32", "B:WK1:B12", "W:W9:B4"] {
            let position = text.parse().unwrap();
            let [again, exact] = [&again, &values].map(|values| values.exact(&position, Rules::Game));
            assert_eq!(again, exact);
            assert!(exact.is_some());
        }
    }
}
