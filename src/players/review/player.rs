//! A player's games, summarized: results, accuracy, and where chances are lost.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `losses` | where does the player lose chances? |
//! | `typical` | which mistakes are shown? |
//! | `words` | how does a summary read, in sentences and as text? |
//! | `page` | how does it look on a page? |

mod losses;
mod page;
mod typical;
mod words;

use serde::{Deserialize, Serialize};

pub use losses::{LossGroup, LossPart, LossesBy};
pub use page::player;
pub use typical::TypicalMistake;

use super::mark::Mark;
use super::reviewed::Review;
use crate::game_name::GameName;
use kingline::game::{Color, Outcome};

/// Summary of a player's reviewed games of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The player's name.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// Number of games. A game of the player against itself counts for each side.
    pub games: u32,
    /// Results of the games.
    pub results: Results,
    /// Mean accuracy of the games in which the player had a choice, 0 to 100; none without such a game.
    pub accuracy: Option<f64>,
    /// Number of games in which the player had a choice.
    pub games_with_choice: u32,
    /// Number of moves at which the player had a choice.
    pub choices: u32,
    /// Number of each mark among these moves.
    pub marks: MarkCounts,
    /// Sum of the winning chances lost by these moves, in games.
    pub lost: f64,
    /// Where they were lost.
    pub losses: Vec<LossGroup>,
    /// The largest losses, at most three, the largest first; of different games where possible.
    pub typical: Vec<TypicalMistake>,
}

/// Results of a player's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Won games.
    pub won: u32,
    /// Drawn games.
    pub drawn: u32,
    /// Lost games.
    pub lost: u32,
    /// Games without a known result.
    pub unknown: u32,
}

/// Numbers of moves with each mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkCounts {
    /// Inaccuracies.
    pub inaccuracies: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
}

impl PlayerSummary {
    /// A summary without games.
    pub fn new(name: &str, game: GameName) -> PlayerSummary {
        PlayerSummary {
            name: name.to_owned(),
            game,
            games: 0,
            results: Results::default(),
            accuracy: None,
            games_with_choice: 0,
            choices: 0,
            marks: MarkCounts::default(),
            lost: 0.0,
            losses: LossesBy::ALL.into_iter().filter_map(|by| LossGroup::new(by, game)).collect(),
            typical: Vec::new(),
        }
    }

    /// Summaries of a player's games in these reviews, one for each kind of game, with games numbered from 1.
    pub fn of(name: &str, reviews: &[&Review]) -> Vec<PlayerSummary> {
        let mut summaries: Vec<PlayerSummary> = Vec::new();
        for (number, review) in (1..).zip(reviews) {
            for side in Color::ALL.into_iter().filter(|side| review.players[side.index()] == name) {
                let place = summaries.iter().position(|summary| summary.game == review.game).unwrap_or_else(|| {
                    summaries.push(PlayerSummary::new(name, review.game));
                    summaries.len() - 1
                });
                summaries[place].add(number, review, side);
            }
        }
        summaries
    }

    /// Adds a game in which the player had this side; `number` tells the game from others.
    pub fn add(&mut self, number: i64, review: &Review, side: Color) {
        self.games += 1;
        *match review.outcome() {
            Some(Outcome::Win(winner)) if winner == side => &mut self.results.won,
            Some(Outcome::Win(_)) => &mut self.results.lost,
            Some(Outcome::Draw) => &mut self.results.drawn,
            None => &mut self.results.unknown,
        } += 1;
        if let Some(accuracy) = review.accuracy[side.index()] {
            self.games_with_choice += 1;
            let before = self.accuracy.unwrap_or_default();
            self.accuracy = Some(before + (accuracy - before) / f64::from(self.games_with_choice));
        }
        let chosen = review.moves.iter().filter(|mv| mv.side == side && !mv.best.is_empty());
        for mv in chosen {
            self.choices += 1;
            self.lost += mv.loss;
            self.marks.count(mv.mark);
        }
        self.losses.iter_mut().for_each(|group| group.add(review, side));
        typical::add(&mut self.typical, number, review, side);
    }
}

impl MarkCounts {
    /// Numbers of one side's marks in a game.
    pub fn of(review: &Review, side: Color) -> MarkCounts {
        let mut counts = MarkCounts::default();
        review.moves.iter().filter(|mv| mv.side == side).for_each(|mv| counts.count(mv.mark));
        counts
    }

    /// The numbers of inaccuracies, mistakes and blunders.
    pub fn numbers(self) -> [u32; 3] {
        [self.inaccuracies, self.mistakes, self.blunders]
    }

    fn count(&mut self, mark: Option<Mark>) {
        match mark {
            Some(Mark::Inaccuracy) => self.inaccuracies += 1,
            Some(Mark::Mistake) => self.mistakes += 1,
            Some(Mark::Blunder) => self.blunders += 1,
            Some(Mark::Forced | Mark::OnlyMove) | None => {}
        }
    }
}

#[cfg(test)]
mod tests;
