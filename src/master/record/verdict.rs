//! The verdict on a game: who won, and why.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::fault::Fault;
use crate::league::DrawRule;
use kingline::game::Color;

/// The verdict on a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameVerdict {
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// Reason for this result.
    pub reason: EndReason,
}

/// Reason for the end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Too many quiet turns in a row.
    QuietTurns,
    /// The position occurred too often.
    Repetition,
    /// The league's limit on turns was reached.
    MoveLimit,
    /// The position itself is drawn.
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

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draw::QuietTurns => "too many turns in a row without a capture or a crowning",
            Draw::Repetition => "the position was repeated too often",
            Draw::MoveLimit => "the turn limit was reached",
            Draw::Position => "neither side can win",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
