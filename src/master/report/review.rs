//! Reviews on a site: of agents over all their games, and as data.

use std::collections::BTreeMap;

use anyhow::Result;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::film::grid_of;
use super::names::{Name, Root, game_link, turn_link};
use crate::record::GameRecord;
use crate::tournament::store::{GameId, Summary};
use kingline::game::Color;
use kingline_players::game_name::GameName;
use kingline_players::review::{
    MarkCounts, PlayerSummary, REVIEW_CSS, Review, TypicalMistake, accuracy_in_words, player,
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
#[derive(Clone, Copy, Debug)]
struct SideResult {
    accuracy: Option<f64>,
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

    pub(super) fn agent_json(&self, agent: usize) -> Value {
        let PlayerSummary { games, accuracy, choices, marks, lost, losses, .. } = &self.agents[agent];
        json!({
            "games": games,
            "accuracy": accuracy,
            "moves": choices,
            "inaccuracies": marks.inaccuracies,
            "mistakes": marks.mistakes,
            "blunders": marks.blunders,
            "lost": lost,
            "losses": losses,
        })
    }

    pub(super) fn json(&self) -> Value {
        let reviewed = self.games.iter().map(|(id, sides)| {
            let [black, white] = sides.map(|SideResult { accuracy, marks }| {
                json!({
                    "accuracy": accuracy,
                    "inaccuracies": marks.inaccuracies,
                    "mistakes": marks.mistakes,
                    "blunders": marks.blunders,
                })
            });
            json!({ "game": id.0, "page": game_link(*id), "black": black, "white": white })
        });
        json!({ "seconds": self.seconds, "games": reviewed.collect::<Vec<Value>>() })
    }
}

pub(super) fn accuracy_cell(accuracy: Option<f64>) -> Markup {
    html! { td .n { (accuracy_in_words(accuracy)) } }
}
