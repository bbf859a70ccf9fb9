//! What did a tournament come to? A site of plain files shows it: it needs no server, links to nothing outside but the
//! pages that agents name, and can be read without scripts.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `folder` | how a site gets to its place whole |
//! | `page`, `text`, `names` | what pages have in common, text made safe for them, what agents are called |
//! | `index` | the first page |
//! | `bracket` | the rounds of an elimination, and who won |
//! | `cross`, `endings`, `statistics` | points against each other, how games ended, what is counted on the way |
//! | `plot`, `chart` | ratings and times, drawn |
//! | `agent` | the page of an agent |
//! | `game`, `film` | the page of a game, its boards and moves |
//! | `data` | the results for programs |

mod agent;
mod bracket;
mod chart;
mod cross;
mod data;
mod endings;
mod film;
mod folder;
mod game;
mod index;
mod names;
mod page;
mod plot;
mod statistics;
mod text;

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result};

use self::agent::AgentPage;
use self::cross::Duel;
use self::folder::SiteFolder;
use self::game::GamePage;
use self::index::IndexPage;
use self::names::Name;
use self::page::{ASSETS, Page, Root};
use self::statistics::Statistics;
use super::bracket::Bracket;
use super::league::League;
use super::rating::{self, RatedGame, Rating};
use super::record::GameRecord;
use super::schedule::TournamentRules;
use super::standings::{self, Standing};
use super::store::{GameId, Store, StoreError, StoredAgent, Summary};

/// What a report shows, apart from the games' turns.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// What it is called.
    pub name: String,
    /// The rules of its games.
    pub league: League,
    /// Who meets whom.
    pub rules: TournamentRules,
    /// Who takes part.
    pub agents: Vec<StoredAgent>,
    /// The round after which each of them was out; `None`: it is still in.
    pub out: Vec<Option<u32>>,
    /// The games that were played, in the order of play.
    pub games: Vec<Summary>,
    /// Games that are still to be played, as far as is known.
    pub missing: u64,
    /// Those of them in which the referee failed.
    pub failed: u64,
    /// The rounds of an elimination, and who won.
    pub bracket: Option<Bracket>,
}

impl Tournament {
    /// The content of a store; the tournament has the name of its file, without the extension.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn of(store: &Store) -> Result<Tournament, StoreError> {
        // So games that failed are distinguished from those that were never tried.
        let standing = store.schedule(&|_| true)?;
        Ok(Tournament {
            bracket: Bracket::of(store.rules(), &standing),
            name: store.path().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            league: store.league().clone(),
            rules: *store.rules(),
            agents: store.agents()?,
            out: standing.out,
            games: standing.done,
            missing: (standing.missing.len() + standing.failed.len()) as u64,
            failed: standing.failed.len() as u64,
        })
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenSite {
    /// All files, not only pages.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// The results of all games.
struct Results {
    names: Vec<Name>,
    /// The best first.
    standings: Vec<Standing>,
    duels: HashMap<[usize; 2], Duel>,
    /// By agent.
    ratings: Vec<Rating>,
    statistics: Statistics,
}

/// Writes the report on a tournament to `site`, replacing an earlier one. `game` returns a game's record; it is called
/// in the order of play. Equal tournaments give equal bytes.
///
/// # Errors
/// There is something else at `site`, a file cannot be written, or `game` failed; an earlier report then stays.
pub fn write(
    site: &Path,
    tournament: &Tournament,
    mut game: impl FnMut(GameId) -> Result<GameRecord>,
) -> Result<WrittenSite> {
    let mut folder = SiteFolder::create(site)?;
    let agents = &tournament.agents;
    let mut results = Results {
        names: agents.iter().enumerate().map(|(index, agent)| Name::of(index, agent)).collect(),
        standings: standings::standings(&tournament.games, &tournament.out),
        duels: cross::duels(&tournament.games),
        ratings: rating::rate(agents.len(), &meetings(&tournament.games), tournament.rules.seed),
        statistics: Statistics::new(agents.len(), tournament.league.clock.clone()),
    };
    for (name, text) in ASSETS {
        folder.write(name, text)?;
    }
    for (index, summary) in tournament.games.iter().enumerate() {
        let record = game(summary.id).with_context(|| format!("game {}", summary.id.0))?;
        results.statistics.add(summary, &record);
        let title = game::title(summary, &results.names);
        let used = results.statistics.spent[index];
        let body = GamePage { tournament, names: &results.names, index, record: &record, used };
        folder.write(&game::file(summary.id), Page { root: Root::Above, tournament, title: &title, body })?;
    }
    let mut games = vec![Vec::new(); agents.len()];
    for (index, summary) in tournament.games.iter().enumerate() {
        summary.agents.iter().for_each(|&agent| games[agent].push(index));
    }
    for standing in &results.standings {
        let name = &results.names[standing.agent];
        let body = AgentPage { tournament, results: &results, standing, games: &games[standing.agent] };
        folder.write(&name.file, Page { root: Root::Above, tournament, title: &name.shown, body })?;
    }
    let body = IndexPage { tournament, results: &results };
    folder.write("index.html", Page { root: Root::Here, tournament, title: &tournament.name, body })?;
    folder.write("report.json", data::json(tournament, &results)?)?;
    let (files, bytes) = folder.finish()?;
    Ok(WrittenSite { files, bytes })
}

/// The games that count, for the ratings.
fn meetings(games: &[Summary]) -> Vec<RatedGame> {
    let meeting = |game: &Summary| {
        Some(RatedGame { pairing: game.pairing.into(), agents: game.agents, half_points: game.half_points? })
    };
    games.iter().filter_map(meeting).collect()
}
