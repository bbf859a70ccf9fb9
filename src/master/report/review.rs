//! Reviews on a site: of agents over all their games, and as data.

use std::collections::BTreeMap;

use anyhow::Result;
use maud::{Markup, html};
use serde::Serialize;

use super::film::grid_of;
use super::names::{Name, Root, game_link, turn_link};
use crate::record::GameRecord;
use crate::tournament::store::{GameId, Summary};
use kingline::game::Color;
use kingline_players::game_name::GameName;
use kingline_players::review::{
    LossGroup, MarkCounts, PlayerSummary, REVIEW_CSS, Review, TypicalMistake, accuracy_in_words, player,
};

/// Reviews of the games of a tournament.
pub struct Reviews<'a> {
    /// Seconds for each position.
    pub seconds: f64,
    /// Returns the review of a game with this record, if it has one.
    pub of: &'a mut dyn FnMut(GameId, &GameRecord) -> Result<Option<Review>>,
}

pub(super) struct ReviewResults {
    seconds: f64,
    agents: Vec<PlayerSummary>,
    /// Both sides of each reviewed game.
    games: BTreeMap<GameId, [SideResult; 2]>,
}

/// Accuracy and marks of one side in a game.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct SideResult {
    /// Accuracy, 0 to 100; null without a choice.
    accuracy: Option<f64>,
    #[serde(flatten)]
    marks: MarkCounts,
}

/// Styles of reviews, after those of boards and before those of the site.
pub(super) const STYLE: [&str; 2] = [REVIEW_CSS, include_str!("assets/review.css")];

impl ReviewResults {
    pub(super) fn new(seconds: f64, names: &[Name], game: GameName) -> ReviewResults {
        let agents = names.iter().map(|name| PlayerSummary::new(&name.shown, game)).collect();
        ReviewResults { seconds, agents, games: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, summary: &Summary, review: &Review) {
        for side in Color::ALL {
            self.agents[summary.agents[side.index()]].add(summary.id.0, review, side);
        }
        let of =
            |side: Color| SideResult { accuracy: review.accuracy[side.index()], marks: MarkCounts::of(review, side) };
        self.games.insert(summary.id, Color::ALL.map(of));
    }

    pub(super) fn accuracy(&self, agent: usize) -> Option<f64> {
        self.agents[agent].accuracy
    }

    pub(super) fn accuracy_in(&self, game: GameId, side: Color) -> Option<f64> {
        self.games.get(&game).and_then(|sides| sides[side.index()].accuracy)
    }

    /// The section of an agent's page, which has the shapes of pieces.
    pub(super) fn agent_section(&self, agent: usize, game: GameName) -> Markup {
        let summary = &self.agents[agent];
        let link = |mistake: &TypicalMistake| {
            let (game, turn) = (GameId(mistake.game), mistake.index + 1);
            let address = html! { (Root::Above) (turn_link(game, turn)) }.into_string();
            (address, format!("Game {}, turn {turn}", game.0))
        };
        html! {
            section #review {
                h2 { "Review" }
                @if summary.games == 0 { p { "No game is reviewed." } }
                @else { (player(summary, grid_of(game), "mistake", &link)) }
            }
        }
    }

    pub(super) fn of_agent(&self, agent: usize) -> AgentReview<'_> {
        let PlayerSummary { games, accuracy, choices, marks, lost, losses, .. } = &self.agents[agent];
        AgentReview { games: *games, accuracy: *accuracy, moves: *choices, marks: *marks, lost: *lost, losses }
    }

    pub(super) fn of_games(&self) -> SiteReview {
        let game = |(id, &[black, white]): (&GameId, &[SideResult; 2])| ReviewedGame {
            game: id.0,
            page: game_link(*id),
            black,
            white,
        };
        SiteReview { seconds: self.seconds, games: self.games.iter().map(game).collect() }
    }
}

/// Reviews of an agent's games.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct AgentReview<'a> {
    /// Reviewed games.
    games: u32,
    /// Accuracy, 0 to 100; null without a choice.
    accuracy: Option<f64>,
    /// Moves with a choice.
    moves: u32,
    #[serde(flatten)]
    marks: MarkCounts,
    /// Winning chances lost, in games.
    lost: f64,
    /// Where they were lost.
    losses: &'a [LossGroup],
}

/// Reviews of all games.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(super) struct SiteReview {
    /// Seconds for each position.
    seconds: f64,
    /// The reviewed games.
    games: Vec<ReviewedGame>,
}

/// A reviewed game.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ReviewedGame {
    /// Number of the game in the store.
    game: i64,
    /// Link to the game in the site.
    page: String,
    /// Black's accuracy and marks.
    black: SideResult,
    /// White's.
    white: SideResult,
}

pub(super) fn accuracy_cell(accuracy: Option<f64>) -> Markup {
    html! { td .n { (accuracy_in_words(accuracy)) } }
}
