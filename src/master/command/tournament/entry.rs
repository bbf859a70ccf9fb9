//! Agents and terms of a tournament; a new round takes them over from the round before.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use tempfile::TempDir;

use super::super::intake::{Builders, LayoutOption, agents_found, build_all, intake_of};
use super::super::options::{LeagueOptions, beside};
use super::super::screen::progress_bar;
use super::marked;
use crate::intake::agent::{Agent, FoundAgents};
use crate::intake::build::take_over_builds;
use crate::league::{League, Pairing};
use crate::referee::players::take_over_calibration;
use crate::tournament::store::{Changes, Store, StoreWriter, TournamentState};
use crate::tournament::{self, TournamentError, TournamentTerms, begin_round, is_new};
use kingline_players::exit::BadInput;
use kingline_players::terminal::{escaped, stderr_line};

#[derive(Args)]
pub(super) struct EntryOptions {
    /// Folders with a folder or an archive for each agent.
    #[arg(required = true, value_name = "FOLDER")]
    agents: Vec<PathBuf>,
    #[command(flatten)]
    layout: LayoutOption,
    /// File that stores the tournament. Default: the first folder's name with .db, beside that folder.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Store of an earlier round: a new store begins with its games between agents whose files are the same, and only
    /// the others are played. League, seed and number of games stay the same. Only for round robins. The earlier store
    /// is not changed. Default: a new store begins without games.
    #[arg(long, value_name = "FILE")]
    since: Option<PathBuf>,
    #[command(flatten)]
    rules: LeagueOptions,
    /// Format of the tournament: round-robin or elimination. In an elimination, an agent that loses more than half of a
    /// meeting's games is out; in checkers, the side with less time left loses a drawn game. Default: the league's.
    #[arg(long, value_parser = pairing)]
    pairing: Option<Pairing>,
    /// Even number of games between two agents that meet. A larger number adds games to a tournament that has begun.
    /// Default: 2, or the store's number.
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<u32>,
    /// Seed of the openings and of the pairings in elimination rounds. Default: 1, or the store's seed.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Leave out agents that cannot play. Default: they are an error.
    #[arg(long)]
    skip_broken: bool,
}

/// Suffix of the folder beside a store; the folder keeps builds and calibrations of the store's agents.
pub(super) const FILES: &str = ".files";

/// An open store and the agents that take part.
pub(super) struct Entered {
    pub(super) store: StoreWriter,
    pub(super) agents: Vec<Agent>,
    /// Unpacked archives of agents, removed when dropped.
    pub(super) unpacked: TempDir,
}

impl EntryOptions {
    /// Returns the folders of the agents, and the stores.
    pub(super) fn private(&self) -> Vec<&Path> {
        self.agents.iter().chain(&self.store).chain(&self.since).map(PathBuf::as_path).collect()
    }

    /// Opens or creates the store, enters the agents and prints what has changed. Builds agents that come as source with
    /// what `builders` returns for the league and the path of the store, so that a failed build is reported before the first game. Otherwise, each
    /// is built before its first game.
    pub(super) fn enter<'a>(&self, builders: impl FnOnce(&League, &Path) -> Option<Builders<'a>>) -> Result<Entered> {
        let path = self.store()?;
        let terms = TournamentTerms {
            league: self.rules.requested()?,
            pairing: self.pairing,
            games: self.games,
            seed: self.seed,
            since: self.since.clone(),
        };
        let settled = terms.settle(&path).map_err(marked)?;
        let intake = intake_of(&settled.0, &self.layout)?;
        let mut found = agents_found(&self.agents, &intake)?;
        let next = self.since.as_ref().filter(|_| is_new(&path)).map(|since| NextRound { since, path: &path });
        if let Some(builders) = builders(&settled.0, &path) {
            next.iter().try_for_each(|next| next.take_over_files(&found.agents))?;
            build_all(&builders, &settled.0, &beside(&path, FILES), &mut found)?;
        }
        let agents = playable(found, self.skip_broken)?;
        if agents.len() < 2 {
            return Err(
                BadInput::new(format!("found {} agents that can play, expected 2 or more", agents.len())).into()
            );
        }
        next.iter().try_for_each(NextRound::begin)?;
        let before = Store::open(&path).ok().map(|store| *store.rules());
        let (store, changes) = tournament::enter(&path, &settled, &agents).map_err(marked)?;
        stderr_line(format_args!("{} agents, store {}", agents.len(), path.display()));
        let is_first = before.is_none();
        if let Some(before) = before.filter(|before| before.games < settled.1.games) {
            let decided = match before.pairing {
                Pairing::RoundRobin => "",
                Pairing::Elimination => "; finished rounds are decided anew",
            };
            stderr_line(format_args!(
                "{} games per pair of agents, previously {}{decided}",
                settled.1.games, before.games
            ));
        }
        match next {
            Some(next) => next.print(&store, &changes)?,
            None if is_first => {}
            None => print_changes(&changes),
        }
        Ok(Entered { store, agents, unpacked: intake.into_unpacked() })
    }

    fn store(&self) -> Result<PathBuf> {
        match (&self.store, self.agents.first()) {
            (Some(path), _) => Ok(path.clone()),
            (None, Some(directory)) => {
                // Gives `.` a name.
                let directory =
                    directory.canonicalize().with_context(|| format!("cannot read {}", directory.display()))?;
                Ok(beside(&directory, ".db"))
            }
            (None, None) => bail!("no folder of agents"),
        }
    }
}

/// Returns the agents that can play; the others are left out if `skips_broken`, else an error.
pub(super) fn playable(found: FoundAgents, skips_broken: bool) -> Result<Vec<Agent>> {
    if !found.refused.is_empty() && !skips_broken {
        let why = TournamentError::Refused(found.refused);
        return Err(BadInput::new(format!("{why}\nhelp: leave them out with --skip-broken")).into());
    }
    for refused in &found.refused {
        stderr_line(format_args!("master: left out: {refused}"));
    }
    Ok(found.agents)
}

fn print_changes(changes: &Changes) {
    let Changes { added, changed, removed } = changes;
    for (names, what) in [
        (added, "new"),
        (changed, "changed since the last run; only their games are played again"),
        (removed, "no longer here; their games are kept but do not count"),
    ] {
        if !names.is_empty() {
            stderr_line(format_args!("{}: {what}", escaped(&names.join(", "))));
        }
    }
}

fn pairing(text: &str) -> Result<Pairing, String> {
    serde_json::from_value(text.into()).map_err(|_| format!("found \"{text}\", expected round-robin or elimination"))
}

fn even(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|&number: &u32| number > 0 && number.is_multiple_of(2));
    number
        .ok_or_else(|| format!("found \"{text}\", expected an even number above 0, since each opening is played twice"))
}

/// A new round, and the store that it begins with.
#[derive(Clone, Copy)]
struct NextRound<'a> {
    since: &'a Path,
    /// Store of the new round, which does not exist yet.
    path: &'a Path,
}

impl NextRound<'_> {
    /// Copies the builds and calibrations of unchanged agents, so that they play as they did in the earlier round.
    fn take_over_files(&self, agents: &[Agent]) -> Result<()> {
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

    fn begin(&self) -> Result<()> {
        let bar = progress_bar(0, "replaying games [{bar:24}] {pos}/{len}{left}");
        let begun = begin_round(self.path, self.since, &mut |games| {
            bar.set_length(games as u64);
            bar.inc(1);
        });
        bar.finish_and_clear();
        begun.map_err(marked)
    }

    /// Prints how the agents differ from those of the earlier round, and which games this leaves to play.
    fn print(&self, store: &Store, changes: &Changes) -> Result<()> {
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
