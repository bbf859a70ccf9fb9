//! The page of `--display`, on which persons play and others watch.

use anyhow::Result;

use crate::league::League;
use crate::league::clock_rules::{Allowance, ClockRules};
use crate::record::{ChosenBy, GameRecord, Turn, transcript};
use crate::referee::GameObserver;
use crate::referee::players::Person;
use crate::stop::StopFlag;
use kingline_players::display::{GamePage, PlayerRequest, Shown, Sides};
use kingline_players::of_game;

/// A page, open until it is dropped.
pub(super) struct Page {
    page: GamePage,
    stop: StopFlag,
}

impl Page {
    /// Opens the page, and prints its address. `persons` tells which sides persons play in the first game.
    ///
    /// # Errors
    /// The port is taken, or the system does not permit listening.
    pub(super) fn open(league: &League, persons: [bool; 2], port: Option<u16>, stop: StopFlag) -> Result<Page> {
        Ok(Page { page: of_game!(league.game, G => GamePage::open::<G>(port, persons))?, stop })
    }

    /// Sets the names of the sides of the next game, and which of them are persons.
    pub(super) fn set_sides(&self, names: [String; 2], persons: [bool; 2], clock: &ClockRules) {
        let left = persons.map(|person| clock.game.filter(|_| !person));
        self.page.set_sides(Sides { names, persons, left, falls: clock.counts == Allowance::Wall });
    }

    pub(super) fn end_game(&self, record: &GameRecord) -> Result<()> {
        self.page.end_game(&record.verdict_in_words(), record.verdict.winner, transcript::write(record)?);
        Ok(())
    }

    /// Waits until a person wants another game. False if a person has ended the program, or it is stopped.
    pub(super) fn wants_another_game(&self) -> bool {
        self.page.next_request(|| !self.stop.is_requested()) == PlayerRequest::NewGame
    }

    /// True if a person has left the game, for another or to end the program.
    pub(super) fn is_left(&self) -> bool {
        self.page.is_left()
    }
}

impl Person for Page {
    fn choose(&self) -> Option<usize> {
        self.page.choose(|| !self.stop.is_requested())
    }
}

impl<G: Shown> GameObserver<G> for &Page {
    fn begun(&mut self, opening: &[G::Move]) {
        self.page.begin(&G::start(), opening);
    }

    fn turned(&mut self, _: &G, _: &G, turn: &Turn) {
        let replaced = turn.fault.as_ref().filter(|_| turn.chosen_by == ChosenBy::Referee);
        let wrong = replaced.map(|fault| format!("{fault}. The referee plays a random move."));
        self.page.turned::<G>(turn.side, turn.mv.as_deref(), turn.left, wrong);
    }
}
