//! How long may an automatic move take?

use std::time::Duration;

use crate::game::ParseError;

/// How long an automatic move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Always this long.
    Constant(Duration),
    /// A share of 4 s that a side has for a game.
    PerGame,
    /// Likewise, within 14 s that a side has for all games of the process.
    PerProcess,
}

impl Pace {
    /// Always as long as the text says: seconds, above 0 and at most 3600.
    ///
    /// # Errors
    /// The text is no such number.
    pub fn constant(seconds: &str) -> Result<Pace, ParseError> {
        const MAX_SECONDS: f64 = 3600.0;
        let number = seconds.parse().ok().filter(|&number| 0.0 < number && number <= MAX_SECONDS);
        let time = number.map(Duration::from_secs_f64).map(Pace::Constant);
        time.ok_or_else(|| ParseError::new(seconds, format!("seconds, a number above 0, at most {MAX_SECONDS}")))
    }
}
