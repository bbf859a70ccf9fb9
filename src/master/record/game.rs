//! The record of a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::fault::Fault;
use super::verdict::{EndReason, GameVerdict};
use crate::league::League;
use crate::league::clock_rules::Spent;
use crate::micros;
use crate::sandbox::Peak;
use kingline::game::Color;
use kingline_players::game_name::GameName;

/// Record of a finished game.
///
/// Pairs (`names`, `budgets`, `left`) contain Black's value, then White's. Moves are written in
/// [`kingline::game::Game::notation`], positions in their `Display` form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The league's name.
    pub league: String,
    /// The game played.
    pub game: GameName,
    /// Names of the agents.
    pub names: [String; 2],
    /// Time of each side at the start, if the game is timed.
    #[serde(with = "micros::pair")]
    pub budgets: [Option<Duration>; 2],
    /// Seed of the opening and of the referee's own moves.
    pub seed: u64,
    /// Position before the opening.
    pub start: String,
    /// Moves that the referee played before the agents took over.
    pub opening: Vec<String>,
    /// Turns of the agents, in order.
    pub turns: Vec<Turn>,
    /// Verdict at the end.
    pub verdict: GameVerdict,
    /// Time of each side at the end, if the game is timed.
    #[serde(with = "micros::pair")]
    pub left: [Option<Duration>; 2],
    /// Name of the [`Tier`](crate::sandbox::Tier) that measured CPU time.
    pub tier: String,
}

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Side to move.
    pub side: Color,
    /// The move, or `None` if the game ended without one.
    pub mv: Option<String>,
    /// The party that chose the move: the agent or the referee.
    #[serde(rename = "played")]
    pub chosen_by: ChosenBy,
    /// Time that the agent spent.
    pub spent: Spent,
    /// Peak use of memory, processes and disk, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<Peak>,
    /// Time that the agent has left after the turn, if the game is timed.
    #[serde(with = "micros::option")]
    pub left: Option<Duration>,
    /// Fault in this turn, if any.
    pub fault: Option<Fault>,
    /// Oddities that are not faults, such as an exit status or leftover files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The party that chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChosenBy {
    /// The agent.
    Agent,
    /// The referee, at random, in place of an agent at fault.
    Referee,
}

impl GameRecord {
    /// Record of a game that could not begin because the referee itself failed.
    pub fn failed(
        league: &League,
        names: [String; 2],
        seed: u64,
        tier: String,
        failure: impl Into<Failure>,
    ) -> GameRecord {
        let budgets = [league.clock.game; 2];
        GameRecord {
            league: league.name.clone(),
            game: league.game,
            names,
            budgets,
            seed,
            start: String::new(),
            opening: Vec::new(),
            turns: Vec::new(),
            verdict: GameVerdict { winner: None, reason: EndReason::Failed(failure.into()) },
            left: budgets,
            tier,
        }
    }

    /// The verdict as a sentence without a final period. Mentions the random turns of the opening, if any.
    pub fn verdict_in_words(&self) -> String {
        let verdict = &self.verdict;
        match self.opening.len() {
            0 => verdict.to_string(),
            1 => format!("{verdict} (after 1 random turn)"),
            turns => format!("{verdict} (after {turns} random turns)"),
        }
    }

    /// Faults of all turns, plus the fault that ended the game if it belongs to no turn.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        let in_turns = self.turns.iter().filter_map(|turn| turn.fault.as_ref());
        let at_the_end = match &self.verdict.reason {
            EndReason::Fault(fault) if !in_turns.clone().any(|other| other == fault) => Some(fault),
            _ => None,
        };
        in_turns.chain(at_the_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_mention_random_turns() {
        let league = League::named("checkers").unwrap();
        let mut record = GameRecord::failed(&league, Default::default(), 1, String::new(), Failure::Other("x".into()));
        record.verdict = GameVerdict { winner: Some(Color::White), reason: EndReason::Captured };
        let won = "White wins: Black has no pieces left";
        for (random, addition) in [(0, ""), (1, " (after 1 random turn)"), (3, " (after 3 random turns)")] {
            record.opening = vec!["11-15".to_owned(); random];
            assert_eq!(record.verdict_in_words(), format!("{won}{addition}"));
        }
    }
}
