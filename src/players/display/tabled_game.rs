//! The game on a table, and its snapshot for the pages.

use std::time::Duration;

use super::clocks::Clocks;
use super::hub::{Hub, Played};
use super::snapshot::{Snapshot, groups, name, turned};
use kingline::draw::shown::{Shown, Step, steps};
use kingline::game::{Color, ParseError};

/// The sides of a game, Black first.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    /// Their names.
    pub names: [String; 2],
    /// True for a person, false for an agent.
    pub persons: [bool; 2],
    /// Their times for the game, if they are limited.
    pub left: [Option<Duration>; 2],
    /// True if the time goes by while a side thinks; otherwise only its CPU time counts.
    pub falls: bool,
}

/// A game of any kind. Its moves are kept as text, so that one table serves every game.
#[derive(Debug, Default)]
pub(super) struct TabledGame {
    sides: Sides,
    clocks: Clocks,
    snapshot: Snapshot,
    record: String,
    /// Start and moves of the game, in its notation.
    start: String,
    moves: Vec<String>,
    /// Legal moves in the last position, each with its number.
    ways: Vec<(Step, usize)>,
    must_capture: bool,
    groups: Option<[Vec<Vec<String>>; 2]>,
}

impl TabledGame {
    /// Begins the next game after its opening moves.
    pub(super) fn begin<G: Shown>(&mut self, sides: Sides, start: &G, opening: &[G::Move]) {
        let serial = self.snapshot.serial + 1;
        *self = TabledGame { sides, start: start.to_string(), ..TabledGame::default() };
        let mut position = *start;
        for &mv in opening {
            self.moves.push(position.notation(mv).to_string());
            position = position.play(mv);
        }
        self.snapshot.serial = serial;
        self.refresh::<G>();
    }

    /// Adds a turn: see [`Table::turned`](super::Table::turned).
    pub(super) fn turned<G: Shown>(
        &mut self,
        side: Color,
        mv: Option<&str>,
        left: Option<Duration>,
        wrong: Option<String>,
    ) {
        self.sides.left[side.index()] = left;
        self.moves.extend(mv.map(str::to_owned));
        self.snapshot.notices.extend(wrong);
        self.refresh::<G>();
    }

    /// Lets a person move.
    pub(super) fn ask(&mut self) {
        self.snapshot.steps = self.ways.iter().map(|(step, _)| step.clone()).collect();
        self.snapshot.must_capture = self.must_capture;
    }

    /// Returns the number of the legal move with this path: `c3-d4`.
    ///
    /// # Errors
    /// There is no such move; the text lists the legal ones.
    pub(super) fn number_of(&self, path: &str) -> Result<usize, String> {
        let paths: Vec<String> = self.ways.iter().map(|(step, _)| step.path.join("-")).collect();
        match paths.iter().position(|each| each == path) {
            Some(place) => Ok(self.ways[place].1),
            None => Err(ParseError::new(path, format!("a legal move: {}", paths.join(", "))).to_string()),
        }
    }

    /// Ends the game with a result in words.
    pub(super) fn end(&mut self, result: &str, winner: Option<Color>, record: String) {
        self.record = record;
        self.clocks.update(self.snapshot.serial, None);
        self.snapshot.phase = "over";
        self.snapshot.result = Some(format!("{result}."));
        self.snapshot.winner = winner.map(name);
        self.snapshot.steps.clear();
        self.snapshot.groups = self.groups.clone();
        self.snapshot.clock = self.clocks.times();
    }

    /// True if the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.snapshot.phase == "over"
    }

    pub(super) fn publish(&self, hub: &Hub) {
        let played = if self.is_over() { Played::Over } else { Played::GoesOn };
        hub.show(&self.snapshot, &self.record, played);
    }

    /// Brings the snapshot up to date with the moves.
    fn refresh<G: Shown>(&mut self) {
        // Start and moves were written by the game itself.
        let Ok(start) = self.start.parse::<G>() else { return };
        let (mut positions, mut moves) = (vec![start], Vec::new());
        for text in &self.moves {
            let position = positions[moves.len()];
            let Ok(mv) = position.parse_move(text) else { return };
            moves.push(mv);
            positions.push(position.play(mv));
        }
        let position = positions[moves.len()];
        let Sides { names, persons, left, falls } = &self.sides;
        self.record = G::record(start, &moves, names);
        self.ways = steps(&position);
        self.must_capture = position.must_capture();
        self.groups = groups(&position);
        self.clocks.update(self.snapshot.serial, Some(position.turn()).filter(|_| !self.ways.is_empty()));
        self.clocks.set_left(*left, *falls);
        self.snapshot = Snapshot {
            serial: self.snapshot.serial,
            phase: "playing",
            players: persons.map(|person| if person { "manual" } else { "automatic" }),
            turned: turned::<G>(*persons),
            names: Some(names.clone()),
            clock: self.clocks.times(),
            notices: std::mem::take(&mut self.snapshot.notices),
            ..Snapshot::of_game(&positions, &moves)
        };
    }
}
