//! Writing a site, and keeping it up to date while its tournament runs.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::agent::AgentPage;
use super::folder::SiteFolder;
use super::games_files::{GamesFile, archive_name, copy_member, file_of, list_of, script, write_list};
use super::index::IndexPage;
use super::names::Root;
use super::page::{ASSETS, page, scripted_page};
use super::results::{Kept, Results};
use super::review::Reviews;
use super::{Tournament, data, meetings, page, ratings, standings};
use crate::record::GameRecord;
use crate::tournament::store::{GameId, Store, StoredAgent, Summary};

/// Size of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenSite {
    /// Number of files, including pages.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// A site with what is needed to change only the files that a new game concerns.
pub struct Site {
    folder: SiteFolder,
    kept: Kept,
    agents: Vec<StoredAgent>,
    files: BTreeMap<i64, FileState>,
}

struct FileState {
    games: Vec<GameId>,
    /// Place and length of its transcripts in the compressed file.
    offset: u64,
    length: u64,
}

impl Site {
    /// Writes the report on a tournament to `site`, replacing an earlier one, to [update](Site::update) it later. Until
    /// then no other process can replace it. With `store`, a copy of it is in the site.
    ///
    /// `game` returns a game's record; it is called in the order of the games' numbers. With `reviews`, pages and data
    /// have them. The same tournament gives the same bytes.
    ///
    /// # Errors
    /// There is something else at `site`, a file cannot be written, or `game` or `reviews` failed. An earlier report is
    /// then left in place.
    pub fn write(
        site: &Path,
        tournament: &Tournament,
        game: impl FnMut(GameId) -> Result<GameRecord>,
        mut reviews: Option<Reviews<'_>>,
        store: Option<&Store>,
    ) -> Result<Site> {
        let mut folder = SiteFolder::create(site)?;
        for (name, parts) in ASSETS {
            folder.write(name, &parts.concat())?;
        }
        if let Some(store) = store {
            folder.add(STORE, |path| Ok(store.copy_to(path)?))?;
        }
        let kept = Kept::new(tournament, reviews.as_ref().map(|reviews| reviews.seconds));
        let mut site = Site { folder, kept, agents: tournament.agents.clone(), files: BTreeMap::new() };
        site.write_all(tournament, game, reviews.as_mut())?;
        site.folder.finish()?;
        Ok(site)
    }

    /// Rewrites the files that have changed since, each as a whole. If the agents have changed or a game is gone, all
    /// games are read again.
    ///
    /// # Errors
    /// A file cannot be written, or `game` failed. The files that are there stay complete.
    pub fn update(&mut self, tournament: &Tournament, game: impl FnMut(GameId) -> Result<GameRecord>) -> Result<()> {
        let now: HashSet<GameId> = tournament.games.iter().map(|game| game.id).collect();
        let is_gone = self.files.values().flat_map(|file| &file.games).any(|game| !now.contains(game));
        if is_gone || self.agents != tournament.agents {
            self.kept = Kept::new(tournament, None);
            self.agents = tournament.agents.clone();
            self.files.clear();
        }
        self.write_all(tournament, game, None)?;
        self.folder.list()
    }

    /// Number of files and bytes.
    pub fn size(&self) -> WrittenSite {
        let (files, bytes) = self.folder.size();
        WrittenSite { files, bytes }
    }

    fn write_all(
        &mut self,
        tournament: &Tournament,
        game: impl FnMut(GameId) -> Result<GameRecord>,
        reviews: Option<&mut Reviews<'_>>,
    ) -> Result<()> {
        let mut games: Vec<&Summary> = tournament.games.iter().collect();
        games.sort_unstable_by_key(|game| game.id);
        self.write_games(tournament, &games, game, reviews)?;
        let results = Results::of(tournament, &mut self.kept);
        write_pages(&mut self.folder, tournament, &results, &games)
    }

    /// Writes the files of games that have changed, and all transcripts.
    fn write_games(
        &mut self,
        tournament: &Tournament,
        games: &[&Summary],
        mut game: impl FnMut(GameId) -> Result<GameRecord>,
        mut reviews: Option<&mut Reviews<'_>>,
    ) -> Result<()> {
        let name = archive_name(tournament.league.game);
        let earlier = self.folder.path(&name);
        let mut archive = self.folder.begin(&name)?;
        let mut offset = 0;
        for block in games.chunk_by(|one, other| file_of(one.id) == file_of(other.id)) {
            let number = file_of(block[0].id);
            let ids: Vec<GameId> = block.iter().map(|game| game.id).collect();
            let before = self.files.remove(&number);
            let length = match &before {
                Some(before) if before.games == ids => {
                    copy_member(&earlier, before.offset, before.length, &mut archive.file)?;
                    before.length
                }
                _ => {
                    let mut file = GamesFile::new(number);
                    for summary in block {
                        let of_game = || format!("game {}", summary.id.0);
                        let record = game(summary.id).with_context(of_game)?;
                        let review = match &mut reviews {
                            Some(reviews) => (reviews.of)(summary.id, &record).with_context(of_game)?,
                            None => None,
                        };
                        if !before.as_ref().is_some_and(|before| before.games.contains(&summary.id)) {
                            self.kept.add(summary, &record, review.as_ref());
                        }
                        file.add(tournament, summary, &record, review.as_ref())?;
                    }
                    let transcripts = file.write(&mut self.folder)?;
                    archive.file.write_all(&transcripts)?;
                    transcripts.len() as u64
                }
            };
            self.files.insert(number, FileState { games: ids, offset, length });
            offset += length;
        }
        if games.is_empty() {
            // A compressed file has at least one member, which may be empty.
            archive.file.write_all(&GamesFile::new(0).into_transcripts()?)?;
        }
        self.folder.end(archive)
    }
}

const TOURNAMENT: &str = "data/tournament.js";

/// A copy of the store, in a site that has one.
const STORE: &str = "store.db";

/// Writes all pages and data that have changed; `games` are in the order of their numbers.
fn write_pages(
    folder: &mut SiteFolder,
    tournament: &Tournament,
    results: &Results<'_>,
    games: &[&Summary],
) -> Result<()> {
    let mut inner: HashSet<String> = HashSet::from([TOURNAMENT.to_owned()]);
    folder.write(TOURNAMENT, &script("tournament", &data::for_scripts(tournament, results, games)))?;
    inner.extend(games.iter().map(|game| format!("data/games-{}.js", file_of(game.id))));
    for list in games.chunk_by(|one, other| list_of(one.id) == list_of(other.id)) {
        inner.insert(write_list(folder, list)?);
    }
    let mut of_agents = vec![Vec::new(); tournament.agents.len()];
    for &game in games {
        game.agents.iter().for_each(|&agent| of_agents[agent].push(game));
    }
    for standing in &results.standings {
        let name = &results.names[standing.agent];
        let main = AgentPage { tournament, results, standing, games: &of_agents[standing.agent] }.main();
        folder.write(&name.file, &page(tournament, Root::Above, &name.shown, &main))?;
        inner.insert(name.file.clone());
    }
    folder.remove_others(|name| !name.contains('/') || inner.contains(name))?;
    write_tops(folder, tournament, results)?;
    folder.write("standings.csv", &standings::csv(tournament, results)?)?;
    folder.stream("games.csv", |file| data::write_csv(file, tournament, games, results.reviews))?;
    folder.stream("games.json", |file| data::write_json(file, tournament, games, results.reviews))?;
    folder.write("standings.json", &standings::json(tournament, results)?)
}

fn write_tops(folder: &mut SiteFolder, tournament: &Tournament, results: &Results<'_>) -> Result<()> {
    let store = folder.has(STORE).then_some(STORE);
    let main = IndexPage { tournament, results, store }.main();
    folder.write("index.html", &page(tournament, Root::Here, &tournament.name, &main))?;
    let main = ratings::page(tournament, results);
    folder.write("ratings.html", &page(tournament, Root::Here, "Ratings", &main))?;
    if let Some(rounds) = &tournament.bracket {
        let main = meetings::bracket_page(rounds, tournament.league.draws, results);
        folder.write("bracket.html", &page(tournament, Root::Here, "Bracket", &main))?;
    }
    let is_reviewed = results.reviews.is_some();
    for (name, title, main, own) in [
        ("game.html", "Game", page::game(tournament, is_reviewed), &["film.js", "game.js"][..]),
        ("games.html", "Games", page::games(), &["list.js", "games.js"]),
        ("pair.html", "Head-to-head", page::pair(), &["list.js", "pair.js"]),
        ("cross.html", "Cross table", page::cross(), &["list.js", "cross.js"]),
    ] {
        let scripts = [&["records.js", TOURNAMENT][..], own].concat();
        folder.write(name, &scripted_page(tournament, Root::Here, title, &main, &scripts))?;
    }
    Ok(())
}
