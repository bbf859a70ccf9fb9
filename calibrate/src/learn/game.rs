//! Games as learning sees them.

mod checkers;
mod loa;

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use kingline::evaluate::network::{HIDDEN_ONE, Shape, WeightsError};
use kingline::game::{Color, Evaluator, History, Knowledge, ParseError, Searched, zobrist};
use kingline::knowledge::tablebase::Tablebase;
use kingline_players::exit::BadInput;
use kingline_players::game_name::GameName;

use super::record::Record;
#[cfg(test)]
pub(super) use checkers::CHECKERS;
#[cfg(test)]
pub(super) use loa::{LOA, LOA6};

/// Returns the positions of a game as learning sees them.
pub(super) fn view(game: GameName) -> &'static View {
    match game {
        GameName::Checkers => kingline::checkers::Position::VIEW,
        GameName::Loa => kingline::loa::Position::<8>::VIEW,
        GameName::Loa6 => kingline::loa::Position::<6>::VIEW,
    }
}

/// Game whose positions can be learned from.
pub(crate) trait Learned: Searched + FromStr<Err = ParseError> + Send + Sync {
    /// Its evaluation, by default with the embedded weights.
    type Evaluation: Evaluator<Self> + Clone + Default + Send + Sync;

    const VIEW: &'static View;
    /// Range of random turns in an opening.
    const OPENING: RangeInclusive<usize>;
    /// Largest score at which an opening is played, in the evaluation's unit.
    const LEVEL: i16;
    /// Number of turns after the opening at which a game is drawn.
    const LONGEST: u16;

    /// Weights file embedded in the programs.
    const EMBEDDED: &'static [u8];

    /// Reads an evaluation from the bytes of a weights file.
    fn read(bytes: &[u8]) -> Result<Self::Evaluation, WeightsError>;
    /// Returns the knowledge used in addition to search; `tables` are for checkers.
    fn knowledge<'a>(tables: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a;
    /// Packs the pieces of both sides, Black's first, into 64 bits each; see [`View`].
    fn pack(&self) -> [u64; 2];
    /// Returns the position with these pieces; `None` if the rules allow no such position.
    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self>;
    /// Returns the same position with the other side to move, to see what it threatens.
    fn turned(&self) -> Self;

    /// Returns the evaluation in `file`, or by default the one in the programs.
    fn evaluation(file: Option<&Path>) -> anyhow::Result<Self::Evaluation> {
        let Some(path) = file else { return Ok(Self::Evaluation::default()) };
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::read(&bytes).with_context(|| BadInput::new(format!("cannot use {}", path.display())))
    }

    /// True if the side to move can change material at once.
    fn has_captures(&self) -> bool {
        self.legal_moves().iter().any(|&mv| !self.is_quiet(mv))
    }

    /// Returns the count of quiet turns, limited to the largest that a record can store.
    fn quiet_turns(history: &History<Self>) -> u8 {
        u8::try_from(history.quiet_turns()).unwrap_or(u8::MAX)
    }
}

/// A game's packed positions, and its network.
///
/// Files and memory contain millions of positions, at 64 bits per side. Code that reads them needs the same functions
/// of every game. A table of these functions lets that code be compiled once instead of once for each game. Pairs of sides
/// begin with the side to move, or with Black where a side to move is given or the order does not matter.
pub(crate) struct View {
    /// Name of the game on the command line and in files.
    pub(crate) name: &'static str,
    /// Smallest number of pieces in each phase of a game; 0 in the last one.
    pub(crate) phases: &'static [u32],
    /// Returns true if the rules allow these pieces with this side to move.
    pub(crate) is_legal: fn(Color, [u64; 2]) -> bool,
    /// Returns true if both sides have the same material.
    pub(crate) is_level: fn([u64; 2]) -> bool,
    /// Returns the material of a side, in tenths of the least valuable piece.
    pub(crate) material: fn(u64) -> i32,
    /// Form of its network.
    pub(crate) shape: Shape,
    /// Number of hidden neurons per side.
    pub(crate) hidden: usize,
    pub(crate) stages: usize,
    pub(crate) buckets: usize,
    /// Number of places of pieces, over all stages. Patterns with a piece at a place share the weights of that place.
    pub(crate) places: usize,
    /// True if the search evaluates positions like this one; the others are not learned from.
    pub(crate) is_evaluated: fn(&Record) -> bool,
    /// Returns the pieces of a record as its side to move sees them: its own, then the other side's.
    pub(crate) sides: fn(&Record) -> [u64; 2],
    /// Returns the same pieces as the other side sees them.
    pub(crate) turned: fn([u64; 2]) -> [u64; 2],
    pub(crate) stage: fn([u64; 2]) -> usize,
    pub(crate) bucket: fn([u64; 2]) -> usize,
    /// Returns the features that the side to move sees.
    pub(crate) seen: fn([u64; 2]) -> Seen,
    /// Returns the places, numbered from 0 over all stages, whose weights a feature shares.
    pub(crate) parts: fn(usize) -> Vec<usize>,
    /// Images of the board with the same value. The first is the board itself.
    pub(crate) images: &'static [fn(u64) -> u64],
    /// Returns each direct feature's equals; none without direct features. See [`Equals`].
    pub(crate) equals: fn() -> Vec<Equals>,
    /// Adds the direct features of a position to a list.
    pub(crate) direct: fn([u64; 2], &mut Vec<u16>),
}

impl View {
    /// Returns the phase with this number of pieces.
    pub(crate) fn phase(&self, pieces: u32) -> usize {
        self.phases.iter().position(|&least| pieces >= least).unwrap_or(0)
    }

    /// Returns the names of the phases: `14 and more`, `8 to 13`, ...
    pub(crate) fn phase_names(&self) -> Vec<String> {
        let most = [None].into_iter().chain(self.phases.iter().map(|&least| Some(least - 1)));
        let name = |(&least, most)| match most {
            None => format!("{least} and more"),
            Some(most) if least == 0 => format!("{most} and fewer"),
            Some(most) if least + 1 == most => format!("{least} and {most}"),
            Some(most) => format!("{least} to {most}"),
        };
        self.phases.iter().zip(most).map(name).collect()
    }

    /// Returns the largest weight of a feature.
    pub(crate) fn most_input(&self) -> f32 {
        f32::from(self.shape.most_input) / f32::from(HIDDEN_ONE)
    }
}

pub(crate) struct Seen {
    pub(crate) numbers: [u16; Seen::MOST],
    pub(crate) count: usize,
}

impl Seen {
    const MOST: usize = 64;

    pub(crate) fn new(numbers: impl IntoIterator<Item = u16>) -> Seen {
        let mut seen = Seen { numbers: [0; Seen::MOST], count: 0 };
        for number in numbers {
            seen.numbers[seen.count] = number;
            seen.count += 1;
        }
        seen
    }

    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers[..self.count]
    }
}

/// A direct feature's equals: its weight is that of `same`, less that of `opposite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Equals {
    /// Representative of all features with the same weight.
    pub(crate) same: usize,
    /// Representative of all features with the opposite weight.
    pub(crate) opposite: usize,
}

/// Returns the seed of one game, derived from the seed of all games; games with adjacent numbers get unrelated seeds.
pub(crate) fn game_seed(seed: u64, game: u32) -> u64 {
    zobrist::number(seed.wrapping_mul(zobrist::GAMMA).wrapping_add(u64::from(game).wrapping_add(1) << 20))
}
