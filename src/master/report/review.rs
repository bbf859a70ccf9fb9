//! Reviews on a site: of games, and of agents over all their games.

use anyhow::Result;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::film::grid_of;
use super::names::{Name, Root, game_file};
use super::page::scrolling;
use super::text::count;
use crate::league::GameKind;
use crate::record::GameRecord;
use crate::tournament::store::{GameId, Summary};
use kingline::draw::SHAPES;
use kingline::game::Color;
use kingline::review::{
    GameName, MarkCounts, PlayerSummary, REVIEW_CSS, Review, ReviewedMove, TypicalMistake, accuracy_in_words, comment,
    decisive_move, graph, mark_class, player, sides,
};

/// Reviews of the games of a tournament.
pub struct Reviews<'a> {
    /// Seconds for each position.
    pub seconds: f64,
    /// Returns the review of a game with this record, if it has one.
    pub of: &'a mut dyn FnMut(GameId, &GameRecord) -> Result<Option<Review>>,
}

/// Results of all reviews, for pages and data.
pub(super) struct ReviewResults {
    seconds: f64,
    /// Summaries of the agents.
    agents: Vec<PlayerSummary>,
    /// Both sides of each game so far, if it has a review.
    games: Vec<Option<[SideResult; 2]>>,
}

/// How one side played a game.
#[derive(Clone, Copy, Debug)]
struct SideResult {
    accuracy: Option<f64>,
    marks: MarkCounts,
}

/// Additions to the assets of a site with reviews.
pub(super) const ASSETS: [(&str, &[&str]); 2] =
    [("site.css", &[REVIEW_CSS, include_str!("review.css")]), ("site.js", &[include_str!("review.js")])];

impl ReviewResults {
    pub(super) fn new(seconds: f64, names: &[Name], game: GameKind) -> ReviewResults {
        let game = match game {
            GameKind::Checkers => GameName::Checkers,
            GameKind::Loa => GameName::Loa,
            GameKind::Loa6 => GameName::Loa6,
        };
        let agents = names.iter().map(|name| PlayerSummary::new(&name.shown, game)).collect();
        ReviewResults { seconds, agents, games: Vec::new() }
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, summary: &Summary, review: Option<&Review>) {
        let Some(review) = review else { return self.games.push(None) };
        for side in Color::ALL {
            self.agents[summary.agents[side.index()]].add(summary.id.0, review, side);
        }
        let of =
            |side: Color| SideResult { accuracy: review.accuracy[side.index()], marks: MarkCounts::of(review, side) };
        self.games.push(Some(Color::ALL.map(of)));
    }

    /// Accuracy of an agent over its games.
    pub(super) fn accuracy(&self, agent: usize) -> Option<f64> {
        self.agents[agent].accuracy
    }

    /// Accuracy of a side in a game.
    pub(super) fn accuracy_in(&self, game: usize, side: Color) -> Option<f64> {
        self.games[game].and_then(|sides| sides[side.index()].accuracy)
    }

    /// The section of an agent's page.
    pub(super) fn agent_section(&self, agent: usize, game: GameKind) -> Markup {
        let summary = &self.agents[agent];
        let link = |mistake: &TypicalMistake| {
            let (game, turn) = (GameId(mistake.game), mistake.index + 1);
            let file = game_file(game);
            let address = html! { (Root::Above) (file) "#t" (turn) }.into_string();
            (address, format!("Game {}, turn {turn}", game.0))
        };
        html! {
            section #review {
                h2 { "Review" }
                @if summary.games == 0 { p { "No game is reviewed." } }
                @else {
                    (PreEscaped(SHAPES))
                    (player(summary, grid_of(game), "mistake", &link))
                }
            }
        }
    }

    /// An agent as data.
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

    /// All games as data; `games` are those of the tournament.
    pub(super) fn json(&self, games: &[Summary]) -> Value {
        let reviewed = games.iter().zip(&self.games).filter_map(|(summary, sides)| {
            let [black, white] = sides.as_ref()?.map(|SideResult { accuracy, marks }| {
                json!({
                    "accuracy": accuracy,
                    "inaccuracies": marks.inaccuracies,
                    "mistakes": marks.mistakes,
                    "blunders": marks.blunders,
                })
            });
            Some(json!({ "game": summary.id.0, "page": game_file(summary.id), "black": black, "white": white }))
        });
        json!({ "seconds": self.seconds, "games": reviewed.collect::<Vec<Value>>() })
    }
}

/// The graph of a game's winning chances, for the column with the board.
pub(super) fn chances(review: &Review) -> Markup {
    html! {
        @if !review.moves.is_empty() {
            figure .chart {
                (graph(review))
                figcaption { "Winning chances, Black's share below the line; a dot marks a move that lost chances" }
            }
        }
    }
}

/// The section below the turns: the turning point, and the table of both sides.
pub(super) fn section(review: &Review) -> Markup {
    html! {
        @if !review.moves.is_empty() {
            section #review {
                h2 { "Review" }
                @if let (Some(index), Some(sentence)) = (review.turning_point, decisive_move(review)) {
                    p .turning-point { a href={ "#t" (index + 1) } { "Turn " (index + 1) } ": " (sentence) }
                }
                (scrolling("Accuracy of both sides", &sides(review)))
                p .quiet {
                    "The engine searched " (count(review.nodes)) " nodes for each position. Moves that no agent chose count for \
                     neither side."
                }
            }
        }
    }
}

/// The sign of a move, for its cell in the table of turns.
pub(super) fn sign(mv: Option<&ReviewedMove>) -> Markup {
    let mark = mv.and_then(|mv| mv.mark);
    html! {
        td .sign.(mark_class(mark)) title=[mark.map(|mark| mark.to_string())] { (mark.map_or("", |mark| mark.sign())) }
    }
}

/// The row below a turn with the judgment of its move and the better line, if the move has a mark to explain.
pub(super) fn judgment(mv: &ReviewedMove, columns: usize) -> Markup {
    let text = comment(mv);
    html! {
        @if !text.0.is_empty() { tr .judged.(mark_class(mv.mark)) { td colspan=(columns) { (text) } } }
    }
}

/// A cell with an accuracy.
pub(super) fn accuracy_cell(accuracy: Option<f64>) -> Markup {
    html! { td .n { (accuracy_in_words(accuracy)) } }
}
