//! Pace of automatic moves.

use std::time::Duration;

use super::level::Level;
use kingline::game::ParseError;

/// Time or effort that an automatic move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The same time for each move.
    Constant(Duration),
    /// The effort of this level for each move.
    Level(Level),
    /// Share of the 4 s that a side has for a game.
    PerGame,
    /// The same, within the 14 s that a side has for all games of the process.
    PerProcess,
}

impl Pace {
    /// Constant pace in seconds, above 0 and at most 3600.
    ///
    /// # Errors
    /// The text is not such a number.
    pub fn constant(seconds: &str) -> Result<Pace, ParseError> {
        const MAX_SECONDS: f64 = 3600.0;
        let number = seconds.parse().ok().filter(|&number| 0.0 < number && number <= MAX_SECONDS);
        let time = number.map(Duration::from_secs_f64).map(Pace::Constant);
        time.ok_or_else(|| ParseError::new(seconds, format!("seconds, a number above 0, at most {MAX_SECONDS}")))
    }
}
