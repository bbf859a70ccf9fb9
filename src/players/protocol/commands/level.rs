//! Levels of the machine.

use kingline::game::ParseError;

/// Level of the machine, from 1, the weakest, to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Number of levels.
    pub(crate) const COUNT: u8 = 8;

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::COUNT).map(Level)
    }

    /// Number of the level, from 1 to 8.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Reads the number of a level.
    ///
    /// # Errors
    /// The text is not such a number.
    pub fn read(text: &str) -> Result<Level, ParseError> {
        let number = text.parse().ok().filter(|number| (1..=Level::COUNT).contains(number));
        number.map(Level).ok_or_else(|| ParseError::new(text, format!("a level from 1 to {}", Level::COUNT)))
    }
}
