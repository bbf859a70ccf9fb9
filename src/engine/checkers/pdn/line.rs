//! The moves of a game while it is read.

use std::time::Duration;

use super::Record;
use crate::checkers::rules::fitting;
use crate::checkers::{Move, Position, Square};
use crate::game::{Game, LineNote, ParseError, no_such_move};

/// A game with its moves so far. Where several captures fit a short notation, it follows them all until later moves
/// decide.
pub(super) struct Line {
    pub(super) record: Record,
    pub(super) notes: Vec<LineNote>,
    /// Ways to go on after the record; empty where there is one way only.
    ways: Vec<Way>,
    /// Clocks after the moves of the ways.
    clocks: Vec<Option<Duration>>,
    /// Captures with several ways: line, text, and number of moves of the ways before it.
    open: Vec<(usize, String, usize)>,
}

#[derive(Clone)]
struct Way {
    moves: Vec<Move>,
    position: Position,
}

/// Largest number of ways that are followed. Captures are short, and most ways end soon.
const MOST_WAYS: usize = 64;

impl Line {
    pub(super) fn new(record: Record) -> Line {
        Line { record, notes: Vec::new(), ways: Vec::new(), clocks: Vec::new(), open: Vec::new() }
    }

    /// Position after the moves so far, or one of them.
    pub(super) fn position(&self) -> Position {
        self.ways.first().map_or(self.record.position(), |way| way.position)
    }

    /// Sets the remaining time after the last move.
    pub(super) fn set_clock(&mut self, left: Duration) {
        match self.clocks.last_mut() {
            Some(clock) => *clock = Some(left),
            None => self.record.set_clock(left),
        }
    }

    /// Adds a note unless there is one with the same text.
    pub(super) fn note_once(&mut self, line: usize, text: &str) {
        if self.notes.iter().all(|note| note.text != text) {
            self.notes.push(LineNote { line, text: text.to_owned() });
        }
    }

    /// Plays the move with these squares.
    pub(super) fn play(&mut self, line: usize, text: &str, squares: &[Square]) -> Result<(), ParseError> {
        let position = self.position();
        if self.ways.is_empty() {
            let mut moves = fitting(&position, squares);
            if moves.is_empty() && self.record.moves().is_empty() {
                moves = self.by_other_side(line, squares);
            }
            match moves[..] {
                [] => return Err(no_such_move(&position, text, &position.legal_moves())),
                [mv] => self.record.add(mv),
                _ => {
                    let way = Way { moves: Vec::new(), position: self.record.position() };
                    self.follow(line, text, vec![way], squares);
                }
            }
            return Ok(());
        }
        let can_go_on = |way: &Way| !fitting(&way.position, squares).is_empty();
        let ways: Vec<Way> = self.ways.iter().filter(|way| can_go_on(way)).cloned().collect();
        if ways.is_empty() {
            return Err(no_such_move(&position, text, &position.legal_moves()));
        }
        self.follow(line, text, ways, squares);
        Ok(())
    }

    /// Goes on from these ways with all moves that have these squares.
    fn follow(&mut self, line: usize, text: &str, ways: Vec<Way>, squares: &[Square]) {
        let count = ways.len();
        let after = ways.into_iter().flat_map(|way| {
            fitting(&way.position, squares).into_iter().map(move |mv| {
                let mut way = way.clone();
                way.moves.push(mv);
                way.position = way.position.play(mv);
                way
            })
        });
        self.ways = after.take(MOST_WAYS).collect();
        if self.ways.len() > count {
            self.open.push((line, text.to_owned(), self.clocks.len()));
        }
        self.clocks.push(None);
        if self.ways.len() == 1 {
            self.settle();
        }
    }

    /// Takes the first way, and notes what else the short captures may have been.
    fn settle(&mut self) {
        let Some(chosen) = self.ways.first().cloned() else { return };
        for (line, text, index) in std::mem::take(&mut self.open) {
            let mut names: Vec<String> = Vec::new();
            for way in &self.ways {
                let before = way.moves[..index].iter().fold(self.record.position(), |position, &mv| position.play(mv));
                let name = before.notation(way.moves[index]).to_string();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            let text = match &names[..] {
                [name] => format!("{text} was read as {name}, by the moves after it"),
                [name, ..] => format!("{text} may be {}; it was read as {name}", names.join(" or ")),
                [] => continue,
            };
            self.notes.push(LineNote { line, text });
        }
        for (mv, clock) in chosen.moves.into_iter().zip(std::mem::take(&mut self.clocks)) {
            self.record.add(mv);
            clock.into_iter().for_each(|left| self.record.set_clock(left));
        }
        self.ways.clear();
    }

    /// Returns the moves with these squares if the other side begins, and turns the start if there are any: in many
    /// records only the first move shows which side begins.
    fn by_other_side(&mut self, line: usize, squares: &[Square]) -> Vec<Move> {
        let start = self.record.start();
        let placed = Square::all().filter_map(|square| start.at(square).map(|(owner, piece)| (square, owner, piece)));
        let turned = Position::new(!start.turn(), placed);
        let moves = fitting(&turned, squares);
        if !moves.is_empty() {
            self.record.set_start(turned);
            self.notes.push(LineNote { line, text: format!("{} moves first, as the first move shows", turned.turn()) });
        }
        moves
    }

    /// Returns the game and the notes, in the order of their lines.
    pub(super) fn finish(mut self) -> (Record, Vec<LineNote>) {
        self.settle();
        self.notes.sort_by_key(|note| note.line);
        (self.record, self.notes)
    }
}
