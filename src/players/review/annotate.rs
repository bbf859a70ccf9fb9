//! Records with the marks, comments and better lines of a review, for other programs.

use std::str::FromStr;

use super::game::{GameRecord, Reviewed};
use super::mark::Mark;
use super::puzzles::Puzzle;
use super::read::AnyRecord;
use super::reviewed::{Review, ReviewedMove};
use super::words;
use crate::game_name::GameName;
use kingline::checkers;
use kingline::game::{Annotation, Glyph, ParseError};
use kingline::loa;

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
    match puzzle.game {
        GameName::Checkers => solution::<checkers::Position>(puzzle),
        GameName::Loa => solution::<loa::Position<8>>(puzzle),
        GameName::Loa6 => solution::<loa::Position<6>>(puzzle),
    }
}

fn solution<G: Reviewed + FromStr<Err = ParseError>>(puzzle: &Puzzle) -> Result<String, ParseError> {
    let start: G = puzzle.position.parse()?;
    let (mut position, mut moves) = (start, Vec::new());
    for step in &puzzle.solution {
        let mv = position.parse_move(&step.mv)?;
        position = position.play(mv);
        moves.push(mv);
    }
    let comment = format!("Next best: {}, {}.", puzzle.second, puzzle.second_worth);
    let note = Annotation { glyph: Some(Glyph::Singular), comment, variation: Vec::new() };
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
    // A line was made of legal moves; it ends where a changed file says otherwise.
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
    let mut text = format!("Accuracy: Black {black}, White {white}.");
    if let Some(sentence) = words::turning_point(review) {
        text += &format!(" Turning point: {sentence}");
    }
    if let Some(broken) = &review.broken {
        text += &format!(" The record ends with an error: {broken}.");
    }
    text
}
