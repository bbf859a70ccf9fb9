//! The pages and data files of a site beside the files of games.

use std::collections::HashSet;

use anyhow::Result;

use super::agent::AgentPage;
use super::bracket;
use super::content::Tournament;
use super::data;
use super::folder::SiteFolder;
use super::games_data;
use super::games_files::{file_of, list_of, script, write_list};
use super::index::IndexPage;
use super::names::Root;
use super::page::{page, scripted_page};
use super::ratings;
use super::results::Results;
use super::scripted;
use crate::tournament::store::Summary;

/// The script with the tournament, which all pages with records load.
const TOURNAMENT: &str = "data/tournament.js";

/// A copy of the store, in a site that has one.
pub(super) const STORE: &str = "store.db";

/// Writes all pages and data that have changed; `games` are in the order of their numbers.
pub(super) fn write(
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
    folder.write("standings.csv", &data::standings_csv(tournament, results)?)?;
    folder.stream("games.csv", |file| games_data::write_csv(file, tournament, games, results.reviews))?;
    folder.stream("games.json", |file| games_data::write_json(file, tournament, games, results.reviews))?;
    folder.write("standings.json", &data::json(tournament, results)?)
}

/// Writes the pages at the top.
fn write_tops(folder: &mut SiteFolder, tournament: &Tournament, results: &Results<'_>) -> Result<()> {
    let store = folder.has(STORE).then_some(STORE);
    let main = IndexPage { tournament, results, store }.main();
    folder.write("index.html", &page(tournament, Root::Here, &tournament.name, &main))?;
    let main = ratings::page(tournament, results);
    folder.write("ratings.html", &page(tournament, Root::Here, "Ratings", &main))?;
    if let Some(rounds) = &tournament.bracket {
        let main = bracket::section(rounds, tournament.league.draws, results);
        folder.write("bracket.html", &page(tournament, Root::Here, "Bracket", &main))?;
    }
    let is_reviewed = results.reviews.is_some();
    for (name, title, main, own) in [
        ("game.html", "Game", scripted::game(tournament, is_reviewed), &["film.js", "game.js"][..]),
        ("games.html", "Games", scripted::games(), &["list.js", "games.js"]),
        ("pair.html", "Head-to-head", scripted::pair(), &["list.js", "pair.js"]),
        ("cross.html", "Cross table", scripted::cross(), &["list.js", "cross.js"]),
    ] {
        let scripts = [&["records.js", TOURNAMENT][..], own].concat();
        folder.write(name, &scripted_page(tournament, Root::Here, title, &main, &scripts))?;
    }
    Ok(())
}
