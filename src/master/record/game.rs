//! The record of a game.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::fault::{Failure, Fault};
use crate::league::clock_rules::Spent;
use crate::league::{DrawRule, League};
use crate::micros::Micros;
use crate::sandbox::Peak;
use kingline::game::Color;
use kingline_players::game_name::GameName;

/// Record of a finished game: a line of `master play --json`, and part of other files. Pairs contain Black's value,
/// then White's.
///
/// Moves are written in [`kingline::game::Game::notation`], positions in their `Display` form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "Game"))]
pub struct GameRecord {
    /// The league's name.
    pub league: String,
    /// The game played.
    pub game: GameName,
    /// Names of the agents.
    pub names: [String; 2],
    /// Time of each side at the start, in microseconds; null: the game is not timed.
    #[serde(with = "Micros::<[Option<u64>; 2]>")]
    pub budgets: [Option<Duration>; 2],
    /// Seed of the opening and of the referee's own moves.
    pub seed: u64,
    /// Seconds from the start of 1970 to the start of the game, UTC; absent if the game could not begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    /// Position before the opening; empty if the game could not begin.
    pub start: String,
    /// Moves that the referee played before the agents took over.
    pub opening: Vec<String>,
    /// Turns of the agents, in order.
    pub turns: Vec<Turn>,
    /// Verdict at the end.
    pub verdict: GameVerdict,
    /// Time of each side at the end, in microseconds; null: the game is not timed.
    #[serde(with = "Micros::<[Option<u64>; 2]>")]
    pub left: [Option<Duration>; 2],
    /// Name of the `Tier` that measured CPU time.
    pub tier: String,
}

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Turn {
    /// Side to move.
    pub side: Color,
    /// The move; null if the game ended without one.
    pub mv: Option<String>,
    /// The party that chose the move: the agent or the referee.
    #[serde(rename = "played")]
    pub chosen_by: ChosenBy,
    /// Time that the agent spent.
    pub spent: Spent,
    /// Peak use of memory, processes and disk, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<Peak>,
    /// Time that the agent has left after the turn, in microseconds; null: the game is not timed.
    #[serde(with = "Micros::<Option<u64>>")]
    pub left: Option<Duration>,
    /// Fault in this turn, if any.
    pub fault: Option<Fault>,
    /// Oddities that are not faults, such as an exit status or leftover files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The party that chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
            started: None,
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

/// The verdict on a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GameVerdict {
    /// The winner; null: nobody won.
    pub winner: Option<Color>,
    /// Reason for this result.
    pub reason: EndReason,
}

/// Reason for the end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum EndReason {
    /// The winner's pieces are connected.
    Connected,
    /// The loser has no pieces left.
    Captured,
    /// The loser has pieces but no legal move.
    Blocked,
    /// Nobody won by the rules of the game.
    Drawn {
        /// The rule that was applied.
        draw: Draw,
        /// The side with more time left; `None` if both have the same or the game is not timed.
        more_time: Option<Color>,
    },
    /// A fault of the loser.
    Fault(Fault),
    /// The referee itself failed. Not an agent's fault: the game must be played again.
    Failed(Failure),
}

/// The rule that ended a game without a winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Too many quiet turns in a row.
    #[strum(to_string = "too many turns in a row without a capture or a crowning")]
    QuietTurns,
    /// The position occurred too often.
    #[strum(to_string = "the position was repeated too often")]
    Repetition,
    /// The league's limit on turns was reached.
    #[strum(to_string = "the turn limit was reached")]
    MoveLimit,
    /// The position itself is drawn.
    #[strum(to_string = "neither side can win")]
    Position,
}

impl GameVerdict {
    /// Half points of Black and White, two per win; `None` if the game counts for neither side.
    pub fn half_points(&self, rule: DrawRule) -> Option<[u32; 2]> {
        let to = |winner: Color| if winner == Color::Black { [2, 0] } else { [0, 2] };
        match (&self.reason, self.winner) {
            (EndReason::Failed(_), _) => None,
            (_, Some(winner)) => Some(to(winner)),
            (EndReason::Drawn { more_time, .. }, None) => match rule {
                DrawRule::Nothing => None,
                DrawRule::Halves => Some([1, 1]),
                DrawRule::MoreTimeLeft => Some(more_time.map_or([1, 1], to)),
            },
            (_, None) => Some([1, 1]),
        }
    }
}

impl fmt::Display for GameVerdict {
    /// Writes who won and why, as a sentence without a final period.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loser = self.winner.map(|winner| !winner);
        if let Some(winner) = self.winner {
            write!(f, "{winner} wins: ")?;
        }
        match (&self.reason, loser) {
            (EndReason::Connected, _) => f.write_str("its pieces are connected"),
            (EndReason::Captured, Some(loser)) => write!(f, "{loser} has no pieces left"),
            (EndReason::Captured, None) => f.write_str("the side to move has no pieces left"),
            (EndReason::Blocked, Some(loser)) => write!(f, "{loser} has no legal move"),
            (EndReason::Blocked, None) => f.write_str("the side to move has no legal move"),
            (EndReason::Drawn { draw, more_time }, _) => {
                write!(f, "drawn: {draw}")?;
                more_time.map_or(Ok(()), |side| write!(f, "; {side} has more time left"))
            }
            (EndReason::Fault(fault), _) => write!(f, "{fault}"),
            (EndReason::Failed(failure), _) => write!(f, "not played: {failure}"),
        }
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

    #[test]
    fn old_and_new_reasons_are_read() {
        for (text, reason) in
            [(r#"{"why":"blocked"}"#, EndReason::Blocked), (r#"{"why":"captured"}"#, EndReason::Captured)]
        {
            assert_eq!(serde_json::from_str::<EndReason>(text).unwrap(), reason);
            assert_eq!(serde_json::to_string(&reason).unwrap(), text);
        }
    }
}
