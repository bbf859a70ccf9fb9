//! What is known of a game when it is over?

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock_rules::Spent;
use super::league::{DrawRule, GameKind, League};
use super::micros;
use super::sandbox::Peak;
use crate::game::{Color, ParseError};

/// All that is known of a game when it is over.
///
/// Pairs (`names`, `left`) are Black's, then White's. Moves are written as [`crate::game::Game::notation`]
/// has them, positions as their `Display`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The league's name.
    pub league: String,
    /// What was played.
    pub game: GameKind,
    /// The agents.
    pub names: [String; 2],
    /// The time of each side at the start, where the game is timed.
    #[serde(with = "micros::pair")]
    pub budgets: [Option<Duration>; 2],
    /// Seeds the opening and the referee's own moves.
    pub seed: u64,
    /// The position before the opening.
    pub start: String,
    /// The moves that the referee played before the agents took over.
    pub opening: Vec<String>,
    /// The turns of the agents, in order.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub verdict: GameVerdict,
    /// The time of each side at the end, where the game is timed.
    #[serde(with = "micros::pair")]
    pub left: [Option<Duration>; 2],
    /// How CPU time was measured: a [`Tier`](super::sandbox::Tier).
    pub tier: String,
}

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Whose turn it was.
    pub side: Color,
    /// The move; `None`: there was none, and the game ended.
    pub mv: Option<String>,
    /// Who chose the move.
    #[serde(rename = "played")]
    pub chosen_by: ChosenBy,
    /// What it cost the agent.
    pub spent: Spent,
    /// What it had at most of memory, processes and disk, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<Peak>,
    /// What the agent had left after it, where the game is timed.
    #[serde(with = "micros::option")]
    pub left: Option<Duration>,
    /// The fault in it, if any.
    pub fault: Option<Fault>,
    /// What is odd, but not a fault: an exit status, files left behind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Who chose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChosenBy {
    /// The agent.
    Agent,
    /// The referee, at random, for an agent at fault.
    Referee,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameVerdict {
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// Why.
    pub reason: EndReason,
}

/// Why a game ended as it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "why")]
pub enum EndReason {
    /// The winner's pieces are connected.
    Connected,
    /// The loser has no pieces left.
    Captured,
    /// The loser has pieces, but no legal move. In records from before there was [`Captured`](Self::Captured) it may
    /// have neither.
    Blocked,
    /// Nobody won by the rules of the game.
    Drawn {
        /// By which rule.
        draw: Draw,
        /// The side with more time left; `None`: both have the same, or there is no such clock.
        more_time: Option<Color>,
    },
    /// A fault of the loser.
    Fault(Fault),
    /// The referee itself failed: no agent's fault, and the game has to be played again.
    Failed {
        /// What went wrong.
        error: String,
    },
}

/// The rule by which a game ended without a winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// Too many quiet turns in a row.
    QuietTurns,
    /// The position was on the board too often.
    Repetition,
    /// The league's limit of turns.
    MoveLimit,
    /// The position itself.
    Position,
}

/// What an agent did wrong, before it is known in which turn: what a player reports to the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Of which kind.
    pub kind: FaultKind,
    /// What was read or seen.
    pub read: String,
    /// What was expected.
    pub expected: String,
}

/// What an agent did wrong, and in which turn: what is recorded of a [`Violation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who did it.
    pub side: Color,
    /// The turn of the game, from 1: both sides' turns and the opening count.
    pub turn: u32,
    /// Of which kind.
    pub kind: FaultKind,
    /// What was read or seen.
    pub read: String,
    /// What was expected.
    pub expected: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started.
    NotStarted,
    /// It ran out of time.
    OverTime,
    /// It did not end, though it used hardly any CPU time.
    Hung,
    /// It used more memory than it may.
    OverMemory,
    /// It wrote more bytes or files than it may.
    OverDisk,
    /// It printed a longer line than it may.
    OverOutput,
    /// It crashed without an answer.
    Crashed,
    /// It ended without an answer.
    NoAnswer,
    /// Its answer is empty.
    EmptyAnswer,
    /// Its answer is not a regular file but a link, a pipe, a directory or the like.
    NotAFile,
    /// Its answer is longer than any answer can be.
    TooLong,
    /// Its answer is not well formed.
    IllFormed,
    /// Its move is not legal.
    Illegal,
    /// It is wrong about who has won.
    WrongWinner,
}

impl GameRecord {
    /// A game that could not begin, since the referee itself failed.
    pub fn failed(league: &League, names: [String; 2], seed: u64, tier: String, error: &anyhow::Error) -> GameRecord {
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
            verdict: GameVerdict { winner: None, reason: EndReason::Failed { error: format!("{error:#}") } },
            left: budgets,
            tier,
        }
    }
}

impl GameRecord {
    /// The verdict as a sentence without the period; where agents did not begin at the start position, it says so.
    pub fn verdict_in_words(&self) -> String {
        let verdict = &self.verdict;
        match self.opening.len() {
            0 => verdict.to_string(),
            1 => format!("{verdict} (after 1 random turn)"),
            turns => format!("{verdict} (after {turns} random turns)"),
        }
    }

    /// The faults of all turns, and the one that ended the game if it happened in none.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        let in_turns = self.turns.iter().filter_map(|turn| turn.fault.as_ref());
        let at_the_end = match &self.verdict.reason {
            EndReason::Fault(fault) if !in_turns.clone().any(|other| other == fault) => Some(fault),
            _ => None,
        };
        in_turns.chain(at_the_end)
    }
}

impl Violation {
    /// Text that could not be parsed.
    pub fn parsing(kind: FaultKind, error: ParseError) -> Violation {
        Violation { kind, read: error.found, expected: error.expected }
    }

    /// As it is recorded; `turn` is that of [`Fault::turn`].
    pub fn by(self, side: Color, turn: u32) -> Fault {
        let Violation { kind, read, expected } = self;
        Fault { side, turn, kind, read, expected }
    }
}

impl Fault {
    /// Without side and turn.
    pub fn violation(&self) -> Violation {
        Violation { kind: self.kind, read: self.read.clone(), expected: self.expected.clone() }
    }
}

impl GameVerdict {
    /// The points of Black and White, two for a won game; `None`: the game counts for neither side.
    pub fn half_points(&self, rule: DrawRule) -> Option<[u32; 2]> {
        let to = |winner: Color| if winner == Color::Black { [2, 0] } else { [0, 2] };
        match (&self.reason, self.winner) {
            (EndReason::Failed { .. }, _) => None,
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
    /// A sentence without the period: who won, and why.
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
            (EndReason::Failed { error }, _) => write!(f, "not played: {error}"),
        }
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Draw::QuietTurns => "too many turns in a row without a capture or a crowning",
            Draw::Repetition => "the position was repeated too often",
            Draw::MoveLimit => "the limit of turns is reached",
            Draw::Position => "nobody can win the position",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { side, turn, kind, read, expected } = self;
        write!(f, "{side} in turn {turn}: {kind}: {read}, expected {expected}")
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NotStarted => "could not be started",
            FaultKind::OverTime => "out of time",
            FaultKind::Hung => "hung",
            FaultKind::OverMemory => "too much memory",
            FaultKind::OverDisk => "too much written",
            FaultKind::OverOutput => "printed a line without end",
            FaultKind::Crashed => "crashed",
            FaultKind::NoAnswer => "no answer",
            FaultKind::EmptyAnswer => "empty answer",
            FaultKind::NotAFile => "not a regular file",
            FaultKind::TooLong => "answer too long",
            FaultKind::IllFormed => "ill-formed answer",
            FaultKind::Illegal => "illegal move",
            FaultKind::WrongWinner => "wrong about the winner",
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

    #[test]
    fn verdicts_name_random_turns() {
        let league = League::named("checkers").unwrap();
        let mut record = GameRecord::failed(&league, Default::default(), 1, String::new(), &anyhow::anyhow!("x"));
        record.verdict = GameVerdict { winner: Some(Color::White), reason: EndReason::Captured };
        let won = "White wins: Black has no pieces left";
        for (random, said) in [(0, ""), (1, " (after 1 random turn)"), (3, " (after 3 random turns)")] {
            record.opening = vec!["11-15".to_owned(); random];
            assert_eq!(record.verdict_in_words(), format!("{won}{said}"));
        }
    }
}
