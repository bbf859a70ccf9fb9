//! Builds without the feature `display` have no page, so nothing of this type exists.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::super::page::missing;
use crate::league::League;
use crate::record::GameRecord;
use crate::tournament::TournamentObserver;
use crate::tournament::arena::GameWatcher;
use crate::tournament::schedule::PlannedGame;

/// A tournament that is watched. This build has no page for it.
pub(super) enum Watched {}

impl Watched {
    /// # Errors
    /// Always: this build has no page.
    pub(super) fn open(_: &League, _: &Path, _: Option<u16>) -> Result<Watched> {
        Err(missing())
    }

    pub(super) fn watcher(&self) -> Arc<dyn GameWatcher> {
        match *self {}
    }

    pub(super) fn rank(&mut self) {
        match *self {}
    }
}

impl TournamentObserver for Watched {
    fn begin(&mut self, _: usize) {
        match *self {}
    }

    fn ended(&mut self, _: &PlannedGame, _: &GameRecord) {
        match *self {}
    }
}
