//! By which rules, clocks and customs is a game played?

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::agent::Language;
use super::agent_limits::AgentLimits;
use super::clock_rules::{Allowance, ClockRules};
use crate::game::ParseError;

/// The rules, clocks and customs of games: plain data, so that a class can have its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct League {
    /// What it is called in tables and stores.
    pub name: String,
    /// What is played.
    pub game: GameKind,
    /// How agents are asked.
    pub protocol: Protocol,
    /// How their time is measured.
    pub clock: ClockRules,
    /// What agents may use besides time.
    #[serde(default)]
    pub limits: AgentLimits,
    /// What is handed in as source, and how it is built and run.
    #[serde(default = "Language::usual")]
    pub submissions: Vec<Language>,
    /// What a fault costs.
    pub faults: FaultRule,
    /// Who gets the point of a drawn game.
    pub draws: DrawRule,
    /// How strictly answers are read.
    pub format: Format,
    /// Who meets whom.
    pub pairing: Pairing,
    /// Turns of both sides together after which a game ends without a winner; `None`: unlimited.
    pub longest: Option<u32>,
    /// Random turns before the agents take over, so that deterministic agents do not replay one game. Agents with an
    /// opening book expect the start position.
    pub opening: u32,
}

/// A game that can be refereed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

/// How an agent is asked for its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// A process a turn, `input.txt` and `output.txt` in its working directory.
    TurnFiles,
    /// A process a turn, a request on standard input, an answer on standard output.
    Request,
    /// One process a game, text commands in the words of the 2020 edition.
    Console2020,
    /// One process a game, text commands in the words of the 2015 edition.
    Console2015,
}

/// What a fault costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultRule {
    /// It loses the game.
    LosesGame,
    /// It is counted, and the referee plays a random legal move.
    RandomMove,
}

/// Who gets the point of a drawn game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// Half a point each.
    Halves,
    /// The side with more time left; half a point each if both have the same.
    MoreTimeLeft,
    /// Nobody: the game counts for neither side.
    Nothing,
}

/// How strictly answers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Exactly as the contract says.
    Strict,
    /// Extra blanks and blank lines, letter case and CR do not count, as in the course's own master.
    Lenient,
}

/// Who meets whom in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Every pair, with colors swapped.
    RoundRobin,
    /// Rounds of matches; an agent that loses more than half of the games of a match is out.
    Elimination,
}

/// See [`ClockRules::patience`].
const PATIENCE: Duration = Duration::from_secs(10);

/// Turns of a game without draws: far more than agents that try to win need.
const LONGEST_WITHOUT_DRAWS: u32 = 400;

impl League {
    /// The names of the built-in leagues.
    pub const NAMES: [&'static str; 4] = ["checkers", "loa6", "loa", "loa-2015"];

    /// The built-in league of that name, if there is one.
    pub fn named(name: &str) -> Option<League> {
        let wall = |turn: u64, game: Option<u64>| ClockRules {
            counts: Allowance::Wall,
            turn: Some(Duration::from_secs(turn)),
            game: game.map(Duration::from_secs),
            patience: PATIENCE,
            resolution: Duration::from_micros(1),
        };
        let loa = League {
            name: name.to_owned(),
            game: GameKind::Loa,
            protocol: Protocol::Console2020,
            clock: wall(10, Some(60)),
            limits: AgentLimits::default(),
            submissions: Language::usual(),
            faults: FaultRule::LosesGame,
            draws: DrawRule::Halves,
            format: Format::Strict,
            pairing: Pairing::RoundRobin,
            longest: Some(60),
            opening: 2,
        };
        Some(match name {
            "checkers" => League {
                game: GameKind::Checkers,
                protocol: Protocol::TurnFiles,
                clock: ClockRules {
                    counts: Allowance::Cpu,
                    turn: None,
                    game: Some(Duration::from_secs(300)),
                    patience: PATIENCE,
                    resolution: Duration::from_millis(10),
                },
                draws: DrawRule::MoreTimeLeft,
                longest: None,
                opening: 0,
                ..loa
            },
            "loa6" => League {
                game: GameKind::Loa6,
                protocol: Protocol::Request,
                clock: wall(3, None),
                faults: FaultRule::RandomMove,
                draws: DrawRule::Nothing,
                longest: Some(LONGEST_WITHOUT_DRAWS),
                ..loa
            },
            "loa" => loa,
            // §4 of the command mode: no limit, no ties. A referee needs a bound of its own.
            "loa-2015" => League {
                protocol: Protocol::Console2015,
                clock: wall(15, Some(300)),
                draws: DrawRule::Nothing,
                longest: Some(LONGEST_WITHOUT_DRAWS),
                ..loa
            },
            _ => return None,
        })
    }
}

impl FromStr for League {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<League, ParseError> {
        League::named(text)
            .ok_or_else(|| ParseError::new(text, format!("the name of a league: {}", League::NAMES.join(", "))))
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameKind::Checkers => "American checkers",
            GameKind::Loa => "Lines of Action",
            GameKind::Loa6 => "Lines of Action 6x6",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leagues_round_trip_through_json() {
        for name in League::NAMES {
            let league: League = name.parse().unwrap();
            assert_eq!(league.name, name);
            let text = serde_json::to_string(&league).unwrap();
            assert_eq!(serde_json::from_str::<League>(&text).unwrap(), league);
        }
        assert!("chess".parse::<League>().unwrap_err().expected.contains("loa6"));
    }
}
