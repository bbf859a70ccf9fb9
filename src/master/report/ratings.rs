//! The page of ratings: the chart of all agents, and the rounds.

use maud::{Markup, html};

use super::content::Tournament;
use super::plot::{self, RatingLine};
use super::results::Results;
use super::rounds;
use super::text::count;

/// The page's content.
pub(super) fn page(tournament: &Tournament, results: &Results<'_>) -> Markup {
    html! {
        h1 { "Ratings" }
        (explanation(results))
        (chart(results, results.standings.len()))
        (rounds::section(tournament, results))
    }
}

/// Method of the ratings, and the number of games that they rest on.
pub(super) fn explanation(results: &Results<'_>) -> Markup {
    let games = results.ratings.iter().map(|rating| u64::from(rating.games)).sum::<u64>() / 2;
    let with_bars = results.intervals_of as u64;
    html! {
        p {
            "Ratings (Bradley-Terry) estimate strength from results against each opponent. A difference of 400 means ten \
             wins for each loss; the mean is 0. They rest on " (count(games)) " games that count, all of this \
             tournament. Bars are 95 % confidence intervals, from a bootstrap over pairings of games"
            @if with_bars < games { "; their widths are those of the first " (count(with_bars)) " games" }
            ". If two bars overlap a lot, the order may be chance. A bar that fades has an open end: the agent never \
             lost, or never won, a point. An agent without games has no rating."
        }
    }
}

/// The chart of the first `most` agents of the standings.
pub(super) fn chart(results: &Results<'_>, most: usize) -> Markup {
    let Results { names, ratings, standings, .. } = results;
    let lines = standings.iter().take(most).map(|row| RatingLine {
        rank: row.rank,
        name: &names[row.agent],
        rating: ratings[row.agent],
        half_points: row.half_points.into(),
        games: (row.played - row.unfinished).into(),
    });
    plot::plot(&lines.collect::<Vec<RatingLine<'_>>>())
}
