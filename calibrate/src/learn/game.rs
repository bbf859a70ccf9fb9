//! Interface between games and learning.

pub(crate) mod checkers;
pub(crate) mod loa;

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use kingline::evaluate::network::WeightsError;
use kingline::game::{Color, Evaluator, History, Knowledge, ParseError, Searched};
use kingline::knowledge::tablebase::Tablebase;

use super::packing::Packing;
use kingline_players::exit::BadInput;

/// Game whose positions can be learned from.
pub(crate) trait Learned: Searched + FromStr<Err = ParseError> + Send + Sync {
    /// Its evaluation, by default with the embedded weights.
    type Evaluation: Evaluator<Self> + Clone + Default + Send + Sync;

    /// Packing of its positions.
    const PACKING: &'static Packing;
    /// Range of random turns in an opening.
    const OPENING: RangeInclusive<usize>;
    /// Largest score at which an opening is played, in the evaluation's unit.
    const LEVEL: i16;
    /// Number of turns after the opening at which a game is drawn.
    const LONGEST: u16;

    /// Weights file embedded in the programs.
    const EMBEDDED: &'static [u8];

    /// Reads an evaluation from the bytes of a weights file.
    ///
    /// # Errors
    /// Fails if they are of another kind or game, or damaged.
    fn read(bytes: &[u8]) -> Result<Self::Evaluation, WeightsError>;
    /// Returns the knowledge used in addition to search; `tables` are for checkers.
    fn knowledge<'a>(tables: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a;
    /// Packs the pieces of both sides, Black's first, into 64 bits each; see [`Packing`].
    fn pack(&self) -> [u64; 2];
    /// Returns the position with these pieces; `None` if the rules allow no such position.
    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self>;
    /// Returns the same position with the other side to move, to see what it threatens.
    fn turned(&self) -> Self;

    /// Returns the evaluation in `file`, or by default the one in the programs.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is of another kind.
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
