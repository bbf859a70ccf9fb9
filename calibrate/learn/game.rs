//! What does learning ask of a game?

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use kingline::checkers::{self, Piece, Square};
use kingline::evaluate;
use kingline::game::{Color, Evaluator, Game, History, Knowledge, ParseError};
use kingline::knowledge::tablebase::Tablebase;
use kingline::loa;

use super::packing::{self, Packing};

/// A game whose evaluation is learned.
pub(crate) trait Learned: Game + FromStr<Err = ParseError> + Send + Sync {
    /// How its positions are kept.
    const PACKING: &'static Packing;
    /// Random turns of an opening.
    const OPENING: RangeInclusive<usize>;
    /// An opening that a search finds less level than this is not played, in the evaluation's unit.
    const LEVEL: i16;
    /// A game is drawn after this many turns from its opening, if nothing has ended it.
    const LONGEST: u16;

    /// The file of weights inside the programs; none where they play by hand-written features.
    const EMBEDDED: Option<&'static [u8]>;

    /// The evaluation in this file; without one, that which the programs play with.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync>;
    /// What is known without search, where `tables` are those of checkers.
    fn knowledge<'a>(tables: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a;
    /// The pieces of both sides, Black's first, each in 64 bits; see [`Packing`].
    fn pack(&self) -> [u64; 2];
    /// The position with these pieces; none where the rules know no such position.
    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self>;
    /// The same position with the other side to move, to see what it threatens.
    fn turned(&self) -> Self;

    /// Whether a side to move may change material at once.
    fn has_captures(&self) -> bool {
        self.legal_moves().iter().any(|&mv| !self.is_quiet(mv))
    }

    /// Quiet turns as far as a record holds them.
    fn quiet_turns(history: &History<Self>) -> u8 {
        u8::try_from(history.quiet_turns()).unwrap_or(u8::MAX)
    }
}

impl Learned for checkers::Position {
    const PACKING: &'static Packing = &packing::CHECKERS;
    const OPENING: RangeInclusive<usize> = 6..=18;
    const LEVEL: i16 = 60;
    const LONGEST: u16 = 400;
    const EMBEDDED: Option<&'static [u8]> = Some(evaluate::checkers::EMBEDDED);

    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync> {
        use evaluate::checkers::Evaluation;
        let Some(path) = file else { return Ok(Evaluation::default()) };
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Evaluation::read(&bytes).with_context(|| format!("cannot use {}", path.display()))
    }

    fn knowledge<'a>(tables: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a {
        tables
    }

    fn pack(&self) -> [u64; 2] {
        Color::ALL.map(|color| {
            let [men, kings] = self.sets(color);
            u64::from(men) | u64::from(kings) << 32
        })
    }

    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self> {
        const ROW: u64 = 0xf;
        let [black, white] = pieces;
        let halves = [black as u32, (black >> 32) as u32, white as u32, (white >> 32) as u32];
        let apart = halves.iter().map(|half| half.count_ones()).sum::<u32>()
            == halves.iter().fold(0, |all, half| all | half).count_ones();
        // A man on the far row would be a king.
        if !apart || black & ROW != 0 || white & ROW << 28 != 0 {
            return None;
        }
        let placed = Color::ALL.into_iter().flat_map(|color| {
            let set = pieces[color.index()];
            (0..64).filter(move |bit| set >> bit & 1 != 0).filter_map(move |bit| {
                let (piece, place) = if bit < 32 { (Piece::Man, bit) } else { (Piece::King, bit - 32) };
                let row = place / 4;
                Some((Square::at(2 * (place % 4) + row % 2, row)?, color, piece))
            })
        });
        Some(checkers::Position::new(turn, placed))
    }

    fn turned(&self) -> Self {
        let placed = Square::all().filter_map(|square| self.at(square).map(|(color, piece)| (square, color, piece)));
        checkers::Position::new(!self.turn(), placed)
    }
}

impl<const N: usize> Learned for loa::Position<N> {
    const PACKING: &'static Packing = if N == 8 { &packing::LOA } else { &packing::LOA6 };
    const OPENING: RangeInclusive<usize> = 2..=10;
    const LEVEL: i16 = 100;
    const LONGEST: u16 = 200;
    const EMBEDDED: Option<&'static [u8]> = None;

    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync> {
        if let Some(path) = file {
            bail!("cannot use {}: Lines of Action plays by hand-written features, not by weights", path.display());
        }
        Ok(evaluate::loa::Evaluation::default())
    }

    fn knowledge<'a>(_: &'a Tablebase<'a>) -> impl Knowledge<Self> + Copy + 'a {
        kingline::game::NoKnowledge
    }

    fn pack(&self) -> [u64; 2] {
        let mut pieces = [0; 2];
        for (square, color) in self.placed() {
            pieces[color.index()] |= 1 << (8 * square.row() + square.column());
        }
        pieces
    }

    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self> {
        let placed = Color::ALL.into_iter().flat_map(|color| {
            let set = pieces[color.index()];
            (0..64).filter(move |bit| set >> bit & 1 != 0).map(move |bit| (bit, color))
        });
        let squares: Option<Vec<_>> =
            placed.map(|(bit, color)| Some((loa::Square::at(bit % 8, bit / 8)?, color))).collect();
        let position = loa::Position::new(turn, squares?);
        (position.pack() == pieces).then_some(position)
    }

    fn turned(&self) -> Self {
        self.with_turn(!self.turn())
    }
}
