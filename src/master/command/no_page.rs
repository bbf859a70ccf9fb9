//! Builds without the feature `display` have no page, so nothing of this type exists.

use anyhow::{Error, Result, anyhow};

use crate::league::League;
use crate::league::clock_rules::ClockRules;
use crate::record::{GameRecord, Turn};
use crate::referee::GameObserver;
use crate::referee::players::Person;
use crate::stop::StopFlag;
use kingline::game::Game;

/// The error of `--display`.
pub(super) fn missing() -> Error {
    anyhow!("--display is not in this build; help: run `cargo build --release -p kingline-master --features display`")
}

/// A page. This build has none.
#[derive(Clone, Copy)]
pub(super) enum Page {}

impl Page {
    /// # Errors
    /// Always: this build has no page.
    pub(super) fn open(_: &League, _: [bool; 2], _: Option<u16>, _: StopFlag) -> Result<Page> {
        Err(missing())
    }

    pub(super) fn set_sides(&self, _: [String; 2], _: [bool; 2], _: &ClockRules) {
        match *self {}
    }

    pub(super) fn end_game(&self, _: &GameRecord) -> Result<()> {
        match *self {}
    }

    pub(super) fn wants_another_game(&self) -> bool {
        match *self {}
    }

    pub(super) fn is_left(&self) -> bool {
        match *self {}
    }
}

impl Person for Page {
    fn choose(&self) -> Option<usize> {
        match *self {}
    }
}

impl<G: Game> GameObserver<G> for &Page {
    fn turned(&mut self, _: &G, _: &G, _: &Turn) {
        match **self {}
    }
}
