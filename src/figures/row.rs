//! What is known of a figure?

use std::fmt;

use serde::{Deserialize, Serialize};

use super::date::Date;
use super::machine::machine;
use crate::game::ParseError;
use crate::terminal::is_deceptive;

/// What a command has measured, in the words that it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What was measured. It has no number that the next measurement would change.
    pub name: String,
    /// The result, with its units.
    pub measured: String,
    /// What it should be, if that is settled.
    pub target: Option<Target>,
}

/// What a figure should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// In words: `at most 2 ms`.
    pub text: String,
    /// Whether it is so.
    pub met: bool,
}

impl Figure {
    /// A figure without a target.
    pub fn new(name: impl Into<String>, measured: impl Into<String>) -> Figure {
        Figure { name: name.into(), measured: measured.into(), target: None }
    }

    /// The same with a target, and whether it is met.
    #[must_use]
    pub fn against(self, target: impl Into<String>, met: bool) -> Figure {
        Figure { target: Some(Target { text: target.into(), met }), ..self }
    }
}

/// A section of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topic {
    /// How fast moves are generated and positions searched.
    Search,
    /// Time and memory of a turn.
    Budgets,
    /// Who wins: games against the reference agent, and with less time.
    Strength,
    /// The solved game.
    #[serde(rename = "6x6 Lines of Action")]
    SmallLoa,
    /// Endgame tables of checkers.
    #[serde(rename = "Endgame tables")]
    EndgameTables,
    /// How evaluations are learned, and what they are worth.
    Evaluation,
    /// `master`: its cost, its verdicts, its reports.
    #[serde(rename = "The referee")]
    Referee,
    /// `loa --display`.
    #[serde(rename = "The board in a browser")]
    Display,
}

impl fmt::Display for Topic {
    /// The heading, as in the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The section that it stands in.
    pub topic: Topic,
    /// What was measured.
    pub figure: String,
    /// The result, with its units.
    pub measured: String,
    /// What it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Whether it is so; absent where that is not a matter of yes or no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// What to type to measure it again.
    pub command: String,
    /// Where it was measured.
    pub machine: String,
    /// The day.
    pub date: Date,
}

impl Row {
    /// What this machine has measured today by `command`.
    pub fn here(topic: Topic, figure: Figure, command: &str) -> Row {
        let Figure { name, measured, target } = figure;
        let (target, met) = target.map(|Target { text, met }| (text, met)).unzip();
        let command = command.to_owned();
        Row { topic, figure: name, measured, target, met, command, machine: machine(), date: Date::today() }
    }

    /// Whether both are the same figure, measured in the same way.
    pub fn is_same_figure(&self, other: &Row) -> bool {
        self.figure == other.figure && self.command == other.command
    }

    /// Checks what types alone cannot.
    pub(super) fn check(&self) -> Result<(), ParseError> {
        let Row { figure, measured, target, command, machine, .. } = self;
        let mut texts = [figure, measured, command, machine].into_iter().chain(target);
        if let Some(text) = texts.find(|text| text.trim().is_empty() || text.contains(is_deceptive)) {
            return Err(ParseError::new(text, "text of one line in each field"));
        }
        if self.met.is_some() && target.is_none() {
            return Err(ParseError::missing("`met` without `target`", "`target` too"));
        }
        Ok(())
    }
}
