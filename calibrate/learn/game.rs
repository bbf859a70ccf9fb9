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

/// A game whose evaluation is learned.
pub(crate) trait Learned: Game + FromStr<Err = ParseError> + Send + Sync {
    /// Its name on the command line and in files.
    const NAME: &'static str;
    /// Random turns of an opening.
    const OPENING: RangeInclusive<usize>;
    /// An opening that a search finds less level than this is not played, in the evaluation's unit.
    const LEVEL: i16;
    /// A game is drawn after this many turns from its opening, if nothing has ended it.
    const LONGEST: u16;
    /// The least number of pieces in each phase of a game, the last one's 0.
    const PHASES: &'static [u32];

    /// The file of weights inside the programs; none where they play by hand-written features.
    const EMBEDDED: Option<&'static [u8]>;

    /// The evaluation in this file; without one, that which the programs play with.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync>;
    /// What is known without search.
    fn knowledge() -> impl Knowledge<Self>;
    /// The pieces of both sides, Black's first, each in 64 bits.
    fn pack(&self) -> [u64; 2];
    /// The position with these pieces; none where the rules know no such position.
    fn unpack(turn: Color, pieces: [u64; 2]) -> Option<Self>;
    /// The same position with the other side to move, to see what it threatens.
    fn turned(&self) -> Self;

    /// Whether a bit of a side's packed pieces is a piece of the least kind.
    fn is_least(bit: usize) -> bool;
    /// The pieces of a side, packed, as the other side sees the board.
    fn turn_around(pieces: u64) -> u64;
    /// The stage of the network for a position.
    fn stage(sides: [u64; 2]) -> usize;
    /// The bucket of the network for a position.
    fn bucket(sides: [u64; 2]) -> usize;
    /// Whether both sides have the same material.
    fn is_level(sides: [u64; 2]) -> bool;
    /// What a side's packed pieces count, in tenths of the least one.
    fn material(pieces: u64) -> i32;

    /// The number of the phase with so many pieces.
    fn phase(pieces: u32) -> usize {
        Self::PHASES.iter().position(|&least| pieces >= least).unwrap_or(0)
    }

    /// What the phases are called: `14 and more`, `8 to 13`, ...
    fn phase_names() -> Vec<String> {
        let most = [None].into_iter().chain(Self::PHASES.iter().map(|&least| Some(least - 1)));
        let name = |(&least, most)| match most {
            None => format!("{least} and more"),
            Some(most) if least == 0 => format!("{most} and fewer"),
            Some(most) if least + 1 == most => format!("{least} and {most}"),
            Some(most) => format!("{least} to {most}"),
        };
        Self::PHASES.iter().zip(most).map(name).collect()
    }

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
    const NAME: &'static str = "checkers";
    const OPENING: RangeInclusive<usize> = 6..=18;
    const LEVEL: i16 = 60;
    const LONGEST: u16 = 400;
    const PHASES: &'static [u32] = &[14, 8, 6, 0];
    const EMBEDDED: Option<&'static [u8]> = Some(evaluate::checkers::EMBEDDED);

    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync> {
        use evaluate::checkers::Evaluation;
        let Some(path) = file else { return Ok(Evaluation::default()) };
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Evaluation::read(&bytes).with_context(|| format!("cannot use {}", path.display()))
    }

    fn knowledge() -> impl Knowledge<Self> {
        Tablebase::with_embedded(None)
    }

    /// Men in the lower half, kings in the upper: bit `4 * row + column / 2`.
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

    fn is_least(bit: usize) -> bool {
        bit < 32
    }

    fn turn_around(pieces: u64) -> u64 {
        pieces.reverse_bits().rotate_left(32)
    }

    fn is_level([own, theirs]: [u64; 2]) -> bool {
        own.count_ones() == theirs.count_ones() && (own >> 32).count_ones() == (theirs >> 32).count_ones()
    }

    fn stage([own, theirs]: [u64; 2]) -> usize {
        let kings = (own | theirs) >> 32;
        evaluate::checkers::stage(own.count_ones() + theirs.count_ones(), kings.count_ones())
    }

    fn bucket([own, theirs]: [u64; 2]) -> usize {
        let kings = (own | theirs) >> 32;
        evaluate::checkers::bucket(own.count_ones() + theirs.count_ones(), kings.count_ones())
    }

    /// A king is worth 1.3 men.
    fn material(pieces: u64) -> i32 {
        (10 * (pieces as u32).count_ones() + 13 * (pieces >> 32).count_ones()) as i32
    }

    fn turned(&self) -> Self {
        let placed = Square::all().filter_map(|square| self.at(square).map(|(color, piece)| (square, color, piece)));
        checkers::Position::new(!self.turn(), placed)
    }
}

impl<const N: usize> Learned for loa::Position<N> {
    const NAME: &'static str = if N == 8 { "loa" } else { "loa6" };
    const OPENING: RangeInclusive<usize> = 2..=10;
    const LEVEL: i16 = 100;
    const LONGEST: u16 = 200;
    const PHASES: &'static [u32] = if N == 8 { &[20, 16, 12, 0] } else { &[14, 11, 8, 0] };
    const EMBEDDED: Option<&'static [u8]> = None;

    fn evaluation(file: Option<&Path>) -> Result<impl Evaluator<Self> + Clone + Sync> {
        if let Some(path) = file {
            bail!("cannot use {}: Lines of Action plays by hand-written features, not by weights", path.display());
        }
        Ok(evaluate::loa::Evaluation::default())
    }

    fn knowledge() -> impl Knowledge<Self> {
        kingline::game::NoKnowledge
    }

    /// Bit `8 * row + column`.
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

    fn is_least(_: usize) -> bool {
        true
    }

    /// Exchanging rows and columns exchanges the sides: the transposition of H. Warren, "Hacker's Delight", 7-3.
    fn turn_around(mut pieces: u64) -> u64 {
        for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0xcccc_0000_cccc), (28, 0xf0f0_f0f0)] {
            let swapped = (pieces ^ pieces >> shift) & mask;
            pieces ^= swapped ^ swapped << shift;
        }
        pieces
    }

    /// The number of pieces says little.
    fn is_level(_: [u64; 2]) -> bool {
        true
    }

    fn stage([own, theirs]: [u64; 2]) -> usize {
        ((24 - (own | theirs).count_ones().min(24)) / 6) as usize
    }

    fn bucket([own, theirs]: [u64; 2]) -> usize {
        ((own | theirs).count_ones().saturating_sub(1) / 3) as usize
    }

    fn material(pieces: u64) -> i32 {
        10 * pieces.count_ones() as i32
    }

    fn turned(&self) -> Self {
        self.with_turn(!self.turn())
    }
}
