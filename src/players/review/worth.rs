//! The worth of a position or a move.

use std::fmt;

use serde::{Deserialize, Serialize};

use kingline::game::Game;
use kingline::score::{Meaning, Score};

/// Worth of a position for one of the sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worth {
    /// Winning chances, 0 to 1: the expected points between equal players.
    pub chances: f64,
    /// Score of the search, in the evaluation's unit; none if the worth is exact.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
    /// Certain knowledge.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exact: Option<Exact>,
}

/// Certain knowledge about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exact {
    /// Won in this number of plies, by a proof.
    WonIn(u16),
    /// Lost in this number of plies, by a proof.
    LostIn(u16),
    /// Won by the tables, with this number of plies to the next capture or crowning.
    Won(u16),
    /// Lost by the tables, likewise.
    Lost(u16),
    /// Drawn by the tables.
    Drawn,
    /// The game is over: won, by the rules.
    IsWon,
    /// The game is over: lost.
    IsLost,
    /// The game is over: drawn.
    IsDrawn,
}

impl Worth {
    /// Worth by certain knowledge.
    pub fn certain(exact: Exact) -> Worth {
        let chances = match exact {
            Exact::WonIn(_) | Exact::Won(_) | Exact::IsWon => 1.0,
            Exact::LostIn(_) | Exact::Lost(_) | Exact::IsLost => 0.0,
            Exact::Drawn | Exact::IsDrawn => 0.5,
        };
        Worth { chances, score: None, exact: Some(exact) }
    }

    /// Worth by a score; `chances` turns an estimate into winning chances.
    pub(super) fn of(score: Score, chances: impl FnOnce(Score) -> f64) -> Worth {
        let exact = match score.meaning() {
            Meaning::WinIn(plies) => Exact::WonIn(plies),
            Meaning::LossIn(plies) => Exact::LostIn(plies),
            Meaning::TableWin(plies) => Exact::Won(plies),
            Meaning::TableLoss(plies) => Exact::Lost(plies),
            Meaning::Estimate(value) => {
                // Four digits, so that files are short and equal everywhere.
                let chances = (chances(score) * 1e4).round() / 1e4;
                return Worth { chances, score: Some(f64::from(value) / 100.0), exact: None };
            }
        };
        Worth::certain(exact)
    }

    /// Worth in a game: without zeroing turns, the distances of a table or strategy lead to the end, like those of a
    /// proof.
    #[must_use]
    pub(super) fn of_game<G: Game>(self) -> Worth {
        let exact = match self.exact {
            Some(Exact::Won(plies)) if G::QUIET_LIMIT.is_none() => Some(Exact::WonIn(plies)),
            Some(Exact::Lost(plies)) if G::QUIET_LIMIT.is_none() => Some(Exact::LostIn(plies)),
            exact => exact,
        };
        Worth { exact, ..self }
    }

    /// Worth for the same side `plies` plies later, or earlier if negative, if nobody errs in between.
    #[must_use]
    pub(super) fn plies_later(self, plies: i16) -> Worth {
        let exact = self.exact.map(|exact| match exact {
            Exact::WonIn(left) => Exact::WonIn(left.saturating_add_signed(-plies)),
            Exact::LostIn(left) => Exact::LostIn(left.saturating_add_signed(-plies)),
            Exact::IsWon if plies < 0 => Exact::WonIn(plies.unsigned_abs()),
            Exact::IsLost if plies < 0 => Exact::LostIn(plies.unsigned_abs()),
            exact => exact,
        });
        Worth { exact, ..self }
    }

    /// Returns the better proof of the same win: the one with fewer plies.
    #[must_use]
    pub(super) fn or_shorter(self, other: Worth) -> Worth {
        match (self.exact, other.exact) {
            (Some(Exact::WonIn(own)), Some(Exact::WonIn(plies))) if plies < own => other,
            (Some(Exact::LostIn(own)), Some(Exact::LostIn(plies))) if plies < own => other,
            _ => self,
        }
    }

    /// Worth for the other side.
    #[must_use]
    pub(super) fn for_opponent(self) -> Worth {
        let exact = self.exact.map(|exact| match exact {
            Exact::WonIn(plies) => Exact::LostIn(plies),
            Exact::LostIn(plies) => Exact::WonIn(plies),
            Exact::Won(plies) => Exact::Lost(plies),
            Exact::Lost(plies) => Exact::Won(plies),
            Exact::IsWon => Exact::IsLost,
            Exact::IsLost => Exact::IsWon,
            Exact::Drawn | Exact::IsDrawn => exact,
        });
        Worth { chances: 1.0 - self.chances, score: self.score.map(|score| 0.0 - score), exact }
    }

    /// Returns `true` for a certain win.
    pub fn is_won(&self) -> bool {
        self.exact.is_some() && self.chances == 1.0
    }
}

impl fmt::Display for Worth {
    /// `62 %`, `won in 7`, `drawn by the tables`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact {
            Some(exact) => exact.fmt(f),
            None => write!(f, "{:.0} %", self.chances * 100.0),
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exact::WonIn(plies) => write!(f, "won in {plies}"),
            Exact::LostIn(plies) => write!(f, "lost in {plies}"),
            Exact::Won(_) => f.write_str("won by the tables"),
            Exact::Lost(_) => f.write_str("lost by the tables"),
            Exact::Drawn => f.write_str("drawn by the tables"),
            Exact::IsWon => f.write_str("won"),
            Exact::IsLost => f.write_str("lost"),
            Exact::IsDrawn => f.write_str("drawn"),
        }
    }
}
