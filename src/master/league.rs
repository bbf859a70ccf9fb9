//! Leagues: the rules of games and tournaments, clocks and limits.

pub mod agent_limits;
pub mod clock_rules;
pub mod preparation;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::intake::agent::{Language, class_path};
use crate::league::agent_limits::AgentLimits;
use crate::league::clock_rules::{Allowance, ClockRules};
use crate::league::preparation::PreparationLimits;
use kingline::game::ParseError;
use kingline_players::game_name::GameName;

/// The rules of games, clocks included: a file for `--league FILE`, and part of plans and of standings.json.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct League {
    /// Name in tables and stores.
    pub name: String,
    /// The game played.
    pub game: GameName,
    /// Protocol between the referee and the agents.
    pub protocol: Protocol,
    /// Time measurement and time limits.
    pub clock: ClockRules,
    /// Limits on resources other than time.
    #[serde(default)]
    pub limits: AgentLimits,
    /// Languages of submissions, with the commands that build and run them.
    #[serde(default = "Language::usual")]
    pub submissions: Vec<Language>,
    /// Python modules beyond the standard library that agents may use. If this machine lacks one, that is not their
    /// fault. Not written if they are the default.
    #[serde(default = "usual_modules", skip_serializing_if = "are_usual")]
    pub modules: Vec<String>,
    /// Jars for agents in Java, relative to this file. Not written if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub class_path: Vec<PathBuf>,
    /// Limits on an agent's files, its build and its `calibrate`. Not written if they are the default, so that earlier
    /// versions read the same league.
    #[serde(default, skip_serializing_if = "PreparationLimits::is_default")]
    pub preparation: PreparationLimits,
    /// Penalty for a fault.
    pub faults: FaultRule,
    /// Points for a drawn game.
    pub draws: DrawRule,
    /// Strictness of parsing answers.
    pub format: Format,
    /// Tournament format.
    pub pairing: Pairing,
    /// Number of turns, of both sides together, after which a game ends without a winner; null: unlimited.
    pub longest: Option<u32>,
    /// Random turns before the agents take over, so that deterministic agents do not repeat the same game. Agents with
    /// an opening book expect the start position.
    pub opening: u32,
}

/// Allowed names of an agent's program; the first that exists is used.
pub(crate) fn program_names(game: GameName) -> &'static [&'static str] {
    match game {
        GameName::Checkers => &["homework"],
        GameName::Loa => &["loa", "homework"],
        GameName::Loa6 => &["loa6", "homework"],
    }
}

/// Protocol between the referee and the agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// A process per turn, with `input.txt` and `output.txt` in its working directory.
    TurnFiles,
    /// A process per turn, with a request on standard input and the answer on standard output.
    Request,
    /// A process per game, using the text commands of the 2020 edition.
    Console2020,
    /// A process per game, using the text commands of the 2015 edition.
    Console2015,
}

/// Penalty for a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FaultRule {
    /// The agent loses the game.
    LosesGame,
    /// The fault is counted, and the referee plays a random legal move instead.
    RandomMove,
}

/// Points for a drawn game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DrawRule {
    /// Half a point for each side.
    Halves,
    /// The point goes to the side with more time left, and the other side loses the game; each side gets half if both
    /// have the same.
    MoreTimeLeft,
    /// No points: the game counts for neither side.
    Nothing,
}

/// Strictness of parsing answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Exactly as the contract requires.
    Strict,
    /// Extra blanks, blank lines, letter case and CR are ignored, as in the course's own master.
    Lenient,
}

/// Tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Pairing {
    /// Every pair of agents plays, with colors swapped.
    RoundRobin,
    /// Rounds of meetings. An agent that loses more than half of a meeting's games is out; who lost a drawn game depends
    /// on the [`DrawRule`].
    Elimination,
}

/// See [`ClockRules::patience`].
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum length in turns of a game in a league without draws: far more than agents that try to win need.
const LONGEST_WITHOUT_DRAWS: u32 = 400;

/// Python modules that courses usually allow.
pub(crate) fn usual_modules() -> Vec<String> {
    vec!["numpy".to_owned()]
}

fn are_usual(modules: &[String]) -> bool {
    modules == usual_modules()
}

impl League {
    /// The names of the built-in leagues.
    pub const NAMES: [&'static str; 4] = ["checkers", "loa6", "loa", "loa-2015"];

    /// The built-in league with this name, if any.
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
            game: GameName::Loa,
            protocol: Protocol::Console2020,
            clock: wall(10, Some(60)),
            limits: AgentLimits::default(),
            submissions: Language::usual(),
            modules: usual_modules(),
            class_path: Vec::new(),
            preparation: PreparationLimits::default(),
            faults: FaultRule::LosesGame,
            draws: DrawRule::Halves,
            format: Format::Strict,
            pairing: Pairing::RoundRobin,
            longest: Some(60),
            opening: 2,
        };
        Some(match name {
            "checkers" => League {
                game: GameName::Checkers,
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
                game: GameName::Loa6,
                protocol: Protocol::Request,
                clock: wall(3, None),
                faults: FaultRule::RandomMove,
                draws: DrawRule::Nothing,
                longest: Some(LONGEST_WITHOUT_DRAWS),
                ..loa
            },
            "loa" => loa,
            // §4 of the command mode: no limit and no ties. The referee still needs a bound.
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

    /// Returns an error with the name of the first limit with which no agent could play.
    ///
    /// # Errors
    /// A limit is too low or too high.
    pub fn check(&self) -> Result<()> {
        self.limits.check()?;
        class_path::check(&self.class_path).context("class_path")?;
        self.preparation.check()
    }
}

impl FromStr for League {
    type Err = ParseError;

    fn from_str(text: &str) -> std::result::Result<League, ParseError> {
        League::named(text)
            .ok_or_else(|| ParseError::new(text, format!("the name of a league: {}", League::NAMES.join(", "))))
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
