//! Games in files: PDN for checkers, SGF for Lines of Action. Records with the marks, comments and better lines of a review,
//! for other programs.

use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;

use super::game::{GameRecord, Reviewed};
use super::puzzles::{Puzzle, puzzles};
use super::reviewed::{Mark, Review, ReviewedMove};
use super::run::review;
use super::settings::{Settings, SquareNames};
use super::words;
use crate::of_game;
use kingline::checkers::{self, pdn};
use kingline::game::{Annotation, Glyph, LineError, LineNote, ParseError, Rules};
use kingline::loa::{self, sgf};

/// Format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Portable Draughts Notation: checkers.
    Pdn,
    /// Smart Game Format: Lines of Action.
    Sgf,
}

/// The record of a game of any kind.
#[derive(Clone, Debug)]
pub enum AnyRecord {
    /// Checkers.
    Checkers(pdn::Record),
    /// Lines of Action on 8x8.
    Loa(sgf::Record<8>),
    /// Lines of Action on 6x6.
    Loa6(sgf::Record<6>),
}

/// A game from a file.
#[derive(Clone, Debug)]
pub struct FoundGame {
    /// The game, up to its first error.
    pub record: AnyRecord,
    /// Notes on the reading, where the record is not of the strict form.
    pub notes: Vec<LineNote>,
    /// The error, if there is one.
    pub error: Option<LineError>,
    /// Names of squares in its moves.
    pub names: SquareNames,
}

impl FoundGame {
    /// Returns the game under these rules, which its record names from now on; only checkers has more than one kind.
    #[must_use]
    pub fn under(mut self, rules: Rules) -> FoundGame {
        if let AnyRecord::Checkers(record) = &mut self.record {
            record.set_rules(rules);
        }
        self
    }
}

impl RecordFormat {
    /// Format of a file, by its name or else by its first character.
    pub fn of(path: &Path, text: &str) -> RecordFormat {
        let name = path.file_name().and_then(|name| name.to_str()).map_or_else(String::new, str::to_ascii_lowercase);
        match name.trim_end_matches(".gz").rsplit_once('.').map(|(_, extension)| extension) {
            Some("sgf") => RecordFormat::Sgf,
            Some("pdn") => RecordFormat::Pdn,
            _ if text.trim_start_matches('\u{feff}').trim_start().starts_with('(') => RecordFormat::Sgf,
            _ => RecordFormat::Pdn,
        }
    }
}

/// Reads the games of a text, in order. A game with an error is read up to it.
pub(crate) fn read_games(text: &str, format: RecordFormat) -> Vec<Result<FoundGame, String>> {
    match format {
        RecordFormat::Pdn if is_list(text) => positions(text),
        RecordFormat::Pdn => pdn::games(text).with_notes().map(found_pdn).collect(),
        RecordFormat::Sgf => {
            sgf::trees(text).map(|tree| found_sgf(&tree.map_err(|error| error.to_string())?)).collect()
        }
    }
}

/// Returns `true` for a list of positions: a FEN on each line.
fn is_list(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    first.get(..2).is_some_and(|start| ["b:", "w:"].contains(&start.to_ascii_lowercase().as_str()))
}

/// Reads a list of positions, each a record without moves. A semicolon ends a position.
fn positions(text: &str) -> Vec<Result<FoundGame, String>> {
    let lines =
        (1..).zip(text.lines()).map(|(number, line)| (number, line.split(';').next().unwrap_or_default().trim()));
    let read = |(line, fen): (usize, &str)| {
        let start: checkers::Position = fen.parse().map_err(|error| LineError { line, error }.to_string())?;
        let oddities = start.oddities(|square| square.number().to_string());
        let notes = oddities.into_iter().map(|text| LineNote { line, text }).collect();
        found(AnyRecord::Checkers(pdn::Record::new(start)), notes, None, SquareNames::Numbers)
    };
    lines.filter(|(_, fen)| !fen.is_empty()).map(read).collect()
}

fn found_pdn(game: pdn::ReadGame) -> Result<FoundGame, String> {
    let names = if game.has_letters { SquareNames::Letters } else { SquareNames::Numbers };
    found(AnyRecord::Checkers(game.record), game.notes, game.error, names)
}

fn found_sgf(tree: &sgf::Tree) -> Result<FoundGame, String> {
    if matches!(tree.size(), Some("6" | "6:6")) {
        let game = tree.read::<6>().map_err(|error| error.to_string())?;
        return found(AnyRecord::Loa6(game.record), game.notes, game.error, SquareNames::Letters);
    }
    let game = tree.read::<8>().map_err(|error| match tree.size() {
        Some(size) if error.error.found == size => format!("found a board of {size} columns, expected 8 or 6"),
        _ => error.to_string(),
    })?;
    found(AnyRecord::Loa(game.record), game.notes, game.error, SquareNames::Letters)
}

fn found(
    record: AnyRecord,
    notes: Vec<LineNote>,
    error: Option<LineError>,
    names: SquareNames,
) -> Result<FoundGame, String> {
    match error {
        Some(error) if record.plies() == 0 => Err(error.to_string()),
        error => Ok(FoundGame { record, notes, error, names }),
    }
}

impl AnyRecord {
    /// Reviews the game; see [`review`].
    pub fn review(
        &self,
        settings: Settings,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Review> {
        match self {
            AnyRecord::Checkers(record) => review::<checkers::Position>(record, settings, threads, progress),
            AnyRecord::Loa(record) => review::<loa::Position<8>>(record, settings, threads, progress),
            AnyRecord::Loa6(record) => review::<loa::Position<6>>(record, settings, threads, progress),
        }
    }

    /// Finds the puzzles in the game; see [`puzzles`].
    pub fn puzzles(
        &self,
        settings: Settings,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Vec<Puzzle>> {
        match self {
            AnyRecord::Checkers(record) => puzzles::<checkers::Position>(record, settings, threads, progress),
            AnyRecord::Loa(record) => puzzles::<loa::Position<8>>(record, settings, threads, progress),
            AnyRecord::Loa6(record) => puzzles::<loa::Position<6>>(record, settings, threads, progress),
        }
    }

    /// Names of Black and White; empty if unknown.
    pub fn players(&self) -> [&str; 2] {
        let [black, white, _] = match self {
            AnyRecord::Checkers(record) => record.names(),
            AnyRecord::Loa(record) => record.names(),
            AnyRecord::Loa6(record) => record.names(),
        };
        [black, white]
    }

    /// Number of moves.
    pub fn plies(&self) -> usize {
        match self {
            AnyRecord::Checkers(record) => record.moves().len(),
            AnyRecord::Loa(record) => record.moves().len(),
            AnyRecord::Loa6(record) => record.moves().len(),
        }
    }
}

/// Writes a reviewed game with annotations: PDN or SGF, by the game.
pub(crate) fn annotated(record: &AnyRecord, review: &Review) -> String {
    match record {
        AnyRecord::Checkers(record) => with_notes::<checkers::Position>(record, review),
        AnyRecord::Loa(record) => with_notes::<loa::Position<8>>(record, review),
        AnyRecord::Loa6(record) => with_notes::<loa::Position<6>>(record, review),
    }
}

/// Writes a puzzle as a game that begins with its position: PDN or SGF, by the game. The moves are the solution, and the
/// comment before them is the task.
///
/// # Errors
/// The puzzle is not one of this program: its position or a move cannot be read.
pub fn puzzle_record(puzzle: &Puzzle) -> Result<String, ParseError> {
    of_game!(puzzle.game, G => solution::<G>(puzzle))
}

fn solution<G: Reviewed + FromStr<Err = ParseError>>(puzzle: &Puzzle) -> Result<String, ParseError> {
    let start: G = puzzle.position.parse()?;
    let (mut position, mut moves) = (start, Vec::new());
    for step in &puzzle.solution {
        let mv = position.parse_move(&step.mv)?;
        position = position.play(mv);
        moves.push(mv);
    }
    let (glyph, comment) = (puzzle.is_only_win().then_some(Glyph::Singular), puzzle.verdict());
    let note = Annotation { glyph, comment, variation: Vec::new() };
    Ok(G::Record::of_line(start, &moves, "Puzzle").annotated(&format!("{}.", puzzle.task()), &[note]))
}

fn with_notes<G: Reviewed>(record: &G::Record, review: &Review) -> String {
    let mut position = record.start();
    let notes: Vec<Annotation<G::Move>> = review
        .moves
        .iter()
        .zip(record.moves())
        .map(|(reviewed, &mv)| {
            let note = note(&position, reviewed);
            position = position.play(mv);
            note
        })
        .collect();
    record.annotated(&opening(review), &notes)
}

fn note<G: Reviewed>(position: &G, reviewed: &ReviewedMove) -> Annotation<G::Move> {
    let [better, reply] = words::lines(reviewed);
    let mut comment = words::judgment(reviewed);
    if !reply.is_empty() {
        comment += &format!(" Now: {}.", reply.join(" "));
    }
    // A changed file may contain illegal moves: the line ends before the first of them.
    let mut place = *position;
    let variation = better.iter().map_while(|word| {
        let mv = place.parse_move(word).ok()?;
        place = place.play(mv);
        Some(mv)
    });
    Annotation { glyph: reviewed.mark.map(Mark::glyph), variation: variation.collect(), comment }
}

/// Summary of the review, for the comment before the first move.
fn opening(review: &Review) -> String {
    let [black, white] = review.accuracy.map(words::accuracy);
    let mut text = words::position(review).unwrap_or_else(|| format!("Accuracy: Black {black}, White {white}."));
    if let Some(sentence) = words::turning_point(review) {
        text += &format!(" Turning point: {sentence}");
    }
    if let Some(broken) = &review.broken {
        text += &format!(" The record ends with an error: {broken}.");
    }
    text
}
