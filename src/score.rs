//! What the search knows of a position, in one number with three bands that never mix.
//!
//! ```text
//!  -32000 .. -31000   lost, in at most 1000 plies         (found by search)
//!  -30000 .. -29000   kept for positions that a table holds as lost
//!  -28000 ..  28000   estimated by an evaluator; 100 is one man
//!   29000 ..  30000   kept for positions that a table holds as won
//!   31000 ..  32000   won, in at most 1000 plies          (found by search)
//! ```

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move, in hundredths of a man unless it is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// Distance from the root of a search, in plies (turns of one side).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(pub u16);

/// Remaining depth of a search, in plies; zero and below is the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Depth(pub i16);

/// What a score says, by its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An estimate in hundredths of a man, or a draw.
    Estimate(i16),
    /// The side to move wins after this many plies.
    WinIn(u16),
    /// The side to move loses after this many plies.
    LossIn(u16),
}

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);
    /// Above every score that a position can have.
    pub const INFINITE: Score = Score(32_001);
    /// The largest estimate.
    pub const MAX_ESTIMATE: Score = Score(28_000);
    /// The smallest score of a win found by search.
    pub const MIN_WIN: Score = Score(31_000);
    const WIN_NOW: i16 = 32_000;

    /// An estimate, in hundredths of a man; clamped to its band.
    pub const fn estimate(value: i32) -> Score {
        let bound = Self::MAX_ESTIMATE.0 as i32;
        Score(if value > bound {
            bound as i16
        } else if value < -bound {
            -bound as i16
        } else {
            value as i16
        })
    }

    /// The side to move wins `ply` plies from the root; nearer is better.
    pub const fn win_in(ply: Ply) -> Score {
        Score(Self::WIN_NOW - ply.0 as i16)
    }

    /// The side to move has lost `ply` plies from the root; farther is better.
    pub const fn loss_in(ply: Ply) -> Score {
        Score(-Self::WIN_NOW + ply.0 as i16)
    }

    /// Whether the search found a forced win or loss.
    pub const fn is_decided(self) -> bool {
        self.0 >= Self::MIN_WIN.0 || self.0 <= -Self::MIN_WIN.0
    }

    /// Whether the search found a forced win for the side to move.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_WIN.0
    }

    /// Whether the search found a forced loss for the side to move.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_WIN.0
    }

    /// What the score says.
    pub const fn meaning(self) -> Meaning {
        if self.is_win() {
            Meaning::WinIn((Self::WIN_NOW - self.0) as u16)
        } else if self.is_loss() {
            Meaning::LossIn((Self::WIN_NOW + self.0) as u16)
        } else {
            Meaning::Estimate(self.0)
        }
    }

    /// The number itself, for storage and display.
    pub const fn value(self) -> i16 {
        self.0
    }

    /// Back from [`value`](Self::value).
    pub const fn from_value(value: i16) -> Score {
        Score(value)
    }

    /// Makes a distance from the root a distance from the position at `ply`, as tables store it.
    pub const fn at_node(self, ply: Ply) -> Score {
        if self.is_win() {
            Score(self.0 + ply.0 as i16)
        } else if self.is_loss() {
            Score(self.0 - ply.0 as i16)
        } else {
            self
        }
    }

    /// Makes a distance from the position at `ply` a distance from the root.
    pub const fn at_root(self, ply: Ply) -> Score {
        if self.is_win() {
            Score(self.0 - ply.0 as i16)
        } else if self.is_loss() {
            Score(self.0 + ply.0 as i16)
        } else {
            self
        }
    }

    /// The score `margin` hundredths of a man higher, kept below every bound of the window.
    pub const fn raised(self, margin: i16) -> Score {
        let value = self.0.saturating_add(margin);
        let bound = Self::INFINITE.0;
        Score(if value > bound {
            bound
        } else if value < -bound {
            -bound
        } else {
            value
        })
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// `+0.35`, `win in 7`, `loss in 12`; plies for distances.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            Meaning::Estimate(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Meaning::WinIn(plies) => write!(f, "win in {plies}"),
            Meaning::LossIn(plies) => write!(f, "loss in {plies}"),
        }
    }
}

impl Ply {
    /// One ply farther from the root.
    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }
}

impl Depth {
    /// The horizon.
    pub const ZERO: Depth = Depth(0);
}

impl Add<i16> for Depth {
    type Output = Depth;
    fn add(self, plies: i16) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i16> for Depth {
    type Output = Depth;
    fn sub(self, plies: i16) -> Depth {
        Depth(self.0 - plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ordered_and_disjoint() {
        assert!(Score::MAX_ESTIMATE < Score::MIN_WIN);
        assert!(Score::win_in(Ply(3)) > Score::win_in(Ply(5)), "the faster win is better");
        assert!(Score::loss_in(Ply(6)) > Score::loss_in(Ply(4)), "the slower loss is better");
        assert!(Score::win_in(Ply(1000)).is_win());
        assert!(!Score::estimate(i32::MAX).is_decided());
        assert!(!Score::estimate(i32::MIN).is_decided());
        assert!(Score::win_in(Ply(0)) < Score::INFINITE);
    }

    #[test]
    fn distances_move_between_root_and_position() {
        for score in [Score::win_in(Ply(9)), Score::loss_in(Ply(9)), Score::estimate(-37)] {
            assert_eq!(score.at_node(Ply(4)).at_root(Ply(4)), score);
        }
        assert_eq!(Score::win_in(Ply(9)).at_node(Ply(4)), Score::win_in(Ply(5)));
        assert_eq!(-Score::win_in(Ply(2)), Score::loss_in(Ply(2)));
    }

    #[test]
    fn display_tells_the_band() {
        assert_eq!(Score::estimate(35).to_string(), "+0.35");
        assert_eq!(Score::win_in(Ply(7)).to_string(), "win in 7");
        assert_eq!(Score::loss_in(Ply(12)).to_string(), "loss in 12");
    }
}
