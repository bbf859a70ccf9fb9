//! The game-specific parts of a page: moves as squares and in words, groups of pieces, and the record to download.

mod checkers;
mod loa;

use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::Serialize;

use super::{Board, Labels};
use crate::game::{Color, ParseError};

/// A game that pages can show.
pub trait Shown: Board + FromStr<Err = ParseError> {
    /// Name of the game.
    const TITLE: &'static str;
    /// Name of the game in the page's script.
    const SCRIPT: &'static str;
    /// Names of the squares.
    const LABELS: Labels;
    /// The side whose pieces are at the lower edge of an unturned board.
    const BELOW: Color;
    /// The rules in short, a paragraph each.
    const RULES: &'static [&'static str];
    /// Examples of the rules.
    const EXAMPLES: &'static [Example];
    /// The file for games.
    const RECORD: RecordFile;

    /// Returns the ways to make a move. In checkers, a piece may take the same pieces in several orders.
    fn steps(&self, mv: Self::Move) -> Vec<Step>;
    /// Returns a way through these squares, legal or not, if there is one for a piece.
    fn way(&self, path: &[&str]) -> Option<Step>;
    /// Returns a move as the list of moves shows it, by the names of its squares.
    fn written(&self, mv: Self::Move) -> String;
    /// Returns a move in words, for screen readers.
    fn words(&self, mv: Self::Move) -> String;
    /// Returns the squares of each connected group of a side's pieces, if groups decide the game.
    fn groups(&self, side: Color) -> Option<Vec<Vec<String>>>;
    /// Returns true if the rules force the side to move to capture.
    fn must_capture(&self) -> bool;
    /// Returns the record of a game in progress between players of these names.
    fn record(start: Self, moves: &[Self::Move], names: &[String; 2]) -> String;

    /// Name of a square, in a column and a row counted from 0 at the lower left.
    fn square(column: usize, row: usize) -> String {
        format!("{}{}", Self::LABELS.column(column), Self::LABELS.row(row, Self::SIZE))
    }
}

/// An example of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Explanation of the rule.
    pub text: &'static str,
    /// Position that the explanation speaks of.
    pub position: &'static str,
    /// Squares of the move that the explanation speaks of, legal or not; empty if it speaks of the position.
    pub path: &'static [&'static str],
}

/// A file format for games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFile {
    /// Name of the downloaded file.
    pub name: &'static str,
    /// Media type.
    pub kind: &'static str,
}

/// A way to make a legal move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Step {
    /// Squares of the piece, from the first to the last.
    pub path: Vec<String>,
    /// In Lines of Action, squares of the line on which the piece moves, from one end of the board to the other.
    pub line: Vec<String>,
    /// Number of pieces on that line, which is the number of squares that the piece moves.
    pub count: usize,
    /// True if the move captures.
    pub captures: bool,
}

/// Returns the legal moves of a position as steps, each with the number of its move in the list of legal moves.
pub fn steps<G: Shown>(position: &G) -> Vec<(Step, usize)> {
    let legal = position.legal_moves();
    let numbered = legal.iter().enumerate();
    numbered.flat_map(|(number, &mv)| position.steps(mv).into_iter().map(move |step| (step, number))).collect()
}
