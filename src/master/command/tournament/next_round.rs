//! A new round that begins with the games of an earlier one.

use std::path::Path;

use anyhow::Result;

use super::super::screen::progress_bar;
use super::ending::marked;
use super::entry::{FILES, beside};
use crate::intake::agent::Agent;
use crate::intake::build::take_over_builds;
use crate::referee::players::take_over_calibration;
use crate::tournament::begin_round;
use crate::tournament::store::{Changes, Store, TournamentState};
use kingline_players::terminal::{escaped, stderr_line};

/// A new round, and the store that it begins with.
#[derive(Clone, Copy)]
pub(super) struct NextRound<'a> {
    /// Store of the earlier round.
    pub(super) since: &'a Path,
    /// Store of the new round, which does not exist yet.
    pub(super) path: &'a Path,
}

impl NextRound<'_> {
    /// Copies the builds and calibrations of unchanged agents, so that they play as they did in the earlier round.
    pub(super) fn take_over_files(&self, agents: &[Agent]) -> Result<()> {
        let before = Store::open(self.since).and_then(|store| store.agents()).map_err(marked)?;
        let is_unchanged =
            |agent: &&Agent| before.iter().any(|old| (&old.name, &old.hash) == (&agent.name, &agent.hash));
        let [from, to] = [self.since, self.path].map(|store| beside(store, FILES));
        let mut without = Vec::new();
        for agent in agents.iter().filter(is_unchanged) {
            take_over_builds(&from, &to, agent)?;
            if !take_over_calibration(&from, &to, agent)? {
                without.push(agent.name.as_str());
            }
        }
        if !without.is_empty() {
            let (from, names) = (from.display(), escaped(&without.join(", ")));
            stderr_line(format_args!(
                "master: {from} lacks calibrations, so that `calibrate` runs again before these agents play: {names}"
            ));
        }
        Ok(())
    }

    /// Creates the store of the new round.
    pub(super) fn begin(&self) -> Result<()> {
        let bar = progress_bar(0, "replaying games [{bar:24}] {pos}/{len}{left}");
        let begun = begin_round(self.path, self.since, &mut |games| {
            bar.set_length(games as u64);
            bar.inc(1);
        });
        bar.finish_and_clear();
        begun.map_err(marked)
    }

    /// Prints how the agents differ from those of the earlier round, and which games this leaves to play.
    pub(super) fn print(&self, store: &Store, changes: &Changes) -> Result<()> {
        let Changes { added, changed, removed } = changes;
        let unchanged = store.agents().map_err(marked)?.len() - added.len() - changed.len();
        let counted = |names: &[String], what: &str| match names {
            [] => format!("0 {what}"),
            names => format!("{} {what} ({})", names.len(), escaped(&names.join(", "))),
        };
        let since = self.since.display();
        stderr_line(format_args!(
            "since {since}: {unchanged} agents unchanged, {}, {}, {}",
            counted(changed, "changed"),
            counted(added, "new"),
            counted(removed, "withdrawn")
        ));
        let TournamentState { done, missing, .. } = store.schedule(&|_| false).map_err(marked)?;
        let (taken, missing) = (done.len(), missing.len());
        stderr_line(format_args!("{taken} games are taken over, {missing} are to be played"));
        Ok(())
    }
}
