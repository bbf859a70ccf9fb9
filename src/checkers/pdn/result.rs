use std::fmt;
use std::str::FromStr;

use crate::game::{Color, Ending, ParseError};

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`: White won, `0-1`: Black won.
    Win(Color),
    /// `1/2-1/2`.
    Draw,
    /// `*`: not over, or not known.
    #[default]
    Open,
}

impl GameResult {
    const ALL: [GameResult; 4] =
        [GameResult::Win(Color::White), GameResult::Win(Color::Black), GameResult::Draw, GameResult::Open];

    pub(super) const fn code(self) -> &'static str {
        match self {
            GameResult::Win(Color::White) => "1-0",
            GameResult::Win(Color::Black) => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

impl From<Option<Ending>> for GameResult {
    fn from(ending: Option<Ending>) -> GameResult {
        match ending {
            Some(Ending::Win(winner)) => GameResult::Win(winner),
            Some(Ending::Draw(_)) => GameResult::Draw,
            None => GameResult::Open,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for GameResult {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<GameResult, ParseError> {
        let found = GameResult::ALL.into_iter().find(|result| result.code() == text);
        found.ok_or_else(|| ParseError::new(text, "a result: 1-0, 0-1, 1/2-1/2 or *"))
    }
}
