//! Writing a site: all its pages, in the order of play.

use std::path::Path;

use anyhow::{Context, Result};

use super::agent::AgentPage;
use super::content::Tournament;
use super::data;
use super::folder::SiteFolder;
use super::game::GamePage;
use super::index::IndexPage;
use super::names::{Root, game_file, game_title};
use super::page::{ASSETS, page};
use super::results::Results;
use super::review::{self, Reviews};
use crate::record::GameRecord;
use crate::tournament::store::GameId;

/// Size of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenSite {
    /// Number of files, including pages.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Writes the report on a tournament to `site`, replacing an earlier one.
///
/// `game` returns a game's record; it is called in the order of play. With `reviews`, pages and data have them. The same
/// tournament gives the same bytes.
///
/// # Errors
/// There is something else at `site`, a file cannot be written, or `game` or `reviews` failed. An earlier report is then left in
/// place.
pub fn write(
    site: &Path,
    tournament: &Tournament,
    mut game: impl FnMut(GameId) -> Result<GameRecord>,
    mut reviews: Option<Reviews<'_>>,
) -> Result<WrittenSite> {
    let mut folder = SiteFolder::create(site)?;
    for (name, parts) in ASSETS {
        let of_reviews = review::ASSETS.into_iter().filter(|(asset, _)| reviews.is_some() && *asset == name);
        let more: String = of_reviews.flat_map(|(_, parts)| parts).copied().collect();
        folder.write(name, &(parts.concat() + &more))?;
    }
    let mut results = Results::of(tournament, reviews.as_ref().map(|reviews| reviews.seconds));
    for (index, summary) in tournament.games.iter().enumerate() {
        let of_game = || format!("game {}", summary.id.0);
        let record = game(summary.id).with_context(of_game)?;
        let review = match &mut reviews {
            Some(reviews) => (reviews.of)(summary.id, &record).with_context(of_game)?,
            None => None,
        };
        results.reviews.iter_mut().for_each(|reviews| reviews.add(summary, review.as_ref()));
        results.statistics.add(summary, &record);
        let used = results.statistics.spent[index];
        let main =
            GamePage { tournament, names: &results.names, index, record: &record, used, review: review.as_ref() }
                .main();
        let title = game_title(summary, &results.names);
        folder.write(&game_file(summary.id), &page(tournament, Root::Above, &title, &main))?;
    }
    let mut games = vec![Vec::new(); tournament.agents.len()];
    for (index, summary) in tournament.games.iter().enumerate() {
        summary.agents.iter().for_each(|&agent| games[agent].push(index));
    }
    for standing in &results.standings {
        let name = &results.names[standing.agent];
        let main = AgentPage { tournament, results: &results, standing, games: &games[standing.agent] }.main();
        folder.write(&name.file, &page(tournament, Root::Above, &name.shown, &main))?;
    }
    let main = IndexPage { tournament, results: &results }.main();
    folder.write("index.html", &page(tournament, Root::Here, &tournament.name, &main))?;
    folder.write("report.json", &data::json(tournament, &results)?)?;
    let (files, bytes) = folder.finish()?;
    Ok(WrittenSite { files, bytes })
}
