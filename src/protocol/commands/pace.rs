use std::time::Duration;

use crate::game::ParseError;

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Always as long.
    Constant(Duration),
    /// 0.35 s for each of a side's first twenty moves in a game, half of that for each of the next
    /// twenty, and so on.
    HurryInGame,
    /// The same, counted from the start of the program.
    HurryInRun,
}

impl Pace {
    /// Always as long as the text says: seconds, above 0, at most 3600.
    ///
    /// # Errors
    /// The text says something else.
    pub fn constant(seconds: &str) -> Result<Pace, ParseError> {
        const MOST: f64 = 3600.0;
        let number = seconds.parse().ok().filter(|&number| 0.0 < number && number <= MOST);
        let time = number.map(Duration::from_secs_f64).map(Pace::Constant);
        time.ok_or_else(|| ParseError::new(seconds, format!("seconds, a number above 0, at most {MOST}")))
    }
}
