//! The games that the programs play.

use std::fmt;

use clap::ValueEnum;
use kingline::draw::{self, Grid, Labels, Style};
use serde::{Deserialize, Serialize};

/// A game, by its name on the command line and in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameName {
    /// American checkers.
    Checkers,
    /// Lines of Action, 8x8.
    Loa,
    /// Lines of Action, 6x6.
    Loa6,
}

/// Evaluates an expression with the type of a game's positions, as in `of_game!(game, G => replay::<G>(record))`.
#[macro_export]
macro_rules! of_game {
    ($game:expr, $Position:ident => $value:expr) => {
        match $game {
            $crate::game_name::GameName::Checkers => {
                type $Position = ::kingline::checkers::Position;
                $value
            }
            $crate::game_name::GameName::Loa => {
                type $Position = ::kingline::loa::Position<8>;
                $value
            }
            $crate::game_name::GameName::Loa6 => {
                type $Position = ::kingline::loa::Position<6>;
                $value
            }
        }
    };
}

impl GameName {
    /// The name on the command line and in files: `checkers`, `loa`, `loa6`.
    pub fn word(self) -> &'static str {
        match self {
            GameName::Checkers => "checkers",
            GameName::Loa => "loa",
            GameName::Loa6 => "loa6",
        }
    }

    /// Letters of its boards in text.
    pub fn style(self) -> &'static Style {
        match self {
            GameName::Checkers => &draw::CHECKERS,
            GameName::Loa | GameName::Loa6 => &draw::LOA,
        }
    }

    /// Size and square names of its boards.
    pub fn grid(self) -> Grid {
        let size = if self == GameName::Loa6 { 6 } else { 8 };
        Grid { size, labels: Labels::FromBottom }
    }
}

impl fmt::Display for GameName {
    /// Writes `checkers`, `Lines of Action`, `6x6 Lines of Action`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameName::Checkers => "checkers",
            GameName::Loa => "Lines of Action",
            GameName::Loa6 => "6x6 Lines of Action",
        })
    }
}
