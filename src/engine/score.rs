//! The value of a position: one number, in disjoint bands.
//!
//! ```text
//!  -32000 .. -31000   lost in at most 1000 plies                         (proved by search)
//!  -30000 .. -29000   lost, 0 to 1000 plies from the next zeroing turn (known from endgame tables)
//!  -28000 ..  28000   estimated by an evaluation, in its unit
//!   29000 ..  30000   won, 0 to 1000 plies from the next zeroing turn  (known from endgame tables)
//!   31000 ..  32000   won in at most 1000 plies                          (proved by search)
//! ```
//!
//! Each evaluation defines its own unit. In [`checkers`](crate::evaluate::checkers::Evaluation) 100 is about one man.
//! In [Lines of Action](crate::evaluate::loa::Evaluation), where the number of pieces says little, a search
//! score of 100 wins 93 % of the points. The page `review` of the guide has the chances at each score.
//!
//! Both kinds of decided scores are certain. They differ in what their distance measures: the plies to the end of the
//! game, or to a capture or crowning after which the game is still won and the count of quiet turns restarts (see
//! [`Value`](crate::game::Value)).

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Value of a position for the side to move: an estimate, in hundredths of the evaluation's unit, or decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// Distance from the root of a search, in plies (turns of one side).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(pub u16);

/// Remaining depth of a search, in plies; zero and below is the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Depth(pub i16);

/// Meaning of a score, by its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An estimate, in hundredths of the evaluation's unit, or a draw.
    Estimate(i16),
    /// The side to move wins after this many plies.
    WinIn(u16),
    /// The side to move loses after this many plies.
    LossIn(u16),
    /// The side to move wins, by a table; the next zeroing turn is at most this many plies away.
    TableWin(u16),
    /// The side to move loses, by a table; the next zeroing turn is at most this many plies away.
    TableLoss(u16),
}

impl Score {
    /// Score of a drawn game.
    pub const DRAW: Score = Score(0);
    /// Bound above the score of every position.
    pub const INFINITE: Score = Score(32_001);
    /// The largest estimate.
    pub const MAX_ESTIMATE: Score = Score(28_000);
    /// The smallest score of a win known from a table.
    pub const MIN_TABLE_WIN: Score = Score(29_000);
    /// The smallest score of a win proved by search.
    pub const MIN_WIN: Score = Score(31_000);
    const TABLE_WIN_NOW: i16 = 30_000;
    const WIN_NOW: i16 = 32_000;

    /// An estimate, in hundredths of the evaluation's unit, clamped to its band.
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

    /// Score of a win of the side to move `ply` plies from the root; nearer is better.
    pub const fn win_in(ply: Ply) -> Score {
        Score(Self::WIN_NOW - ply.0 as i16)
    }

    /// Score of a loss of the side to move `ply` plies from the root; farther is better.
    pub const fn loss_in(ply: Ply) -> Score {
        Score(-Self::WIN_NOW + ply.0 as i16)
    }

    /// Score of a win by a table for the side to move at `ply`, at most `plies` plies before the next zeroing turn;
    /// nearer is better. Distances beyond the band are clamped to it.
    pub const fn table_win(ply: Ply, plies: u16) -> Score {
        let distance = ply.0.saturating_add(plies);
        let longest = (Self::TABLE_WIN_NOW - Self::MIN_TABLE_WIN.0) as u16;
        Score(Self::TABLE_WIN_NOW - if distance < longest { distance } else { longest } as i16)
    }

    /// Score of a loss by a table, with the same arguments as [`table_win`](Self::table_win); farther is better.
    pub const fn table_loss(ply: Ply, plies: u16) -> Score {
        Score(-Self::table_win(ply, plies).0)
    }

    /// Returns `true` if the game is certainly won or lost: proved by the search, or known from a table.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns `true` if the side to move certainly wins.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::MIN_TABLE_WIN.0
    }

    /// Returns `true` if the side to move certainly loses.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::MIN_TABLE_WIN.0
    }

    /// Returns `true` if the search proved a forced win or loss, to the end of the game.
    pub const fn is_proved(self) -> bool {
        self.0 >= Self::MIN_WIN.0 || self.0 <= -Self::MIN_WIN.0
    }

    /// Returns the meaning of the score.
    pub const fn meaning(self) -> Meaning {
        if self.0 >= Self::MIN_WIN.0 {
            Meaning::WinIn((Self::WIN_NOW - self.0) as u16)
        } else if self.0 <= -Self::MIN_WIN.0 {
            Meaning::LossIn((Self::WIN_NOW + self.0) as u16)
        } else if self.is_win() {
            Meaning::TableWin((Self::TABLE_WIN_NOW - self.0) as u16)
        } else if self.is_loss() {
            Meaning::TableLoss((Self::TABLE_WIN_NOW + self.0) as u16)
        } else {
            Meaning::Estimate(self.0)
        }
    }

    /// Raw value, for storage and display.
    pub const fn value(self) -> i16 {
        self.0
    }

    /// Creates a score from its raw [`value`](Self::value).
    pub const fn from_value(value: i16) -> Score {
        Score(value)
    }

    /// Converts the score for a transposition table: its distance then counts from the position at `ply` instead of the
    /// root.
    pub const fn to_table(self, ply: Ply) -> Score {
        if self.is_win() {
            Score(self.0 + ply.0 as i16)
        } else if self.is_loss() {
            Score(self.0 - ply.0 as i16)
        } else {
            self
        }
    }

    /// Inverse of [`to_table`](Self::to_table), for the position reached at `ply`.
    pub const fn from_table(stored: Score, ply: Ply) -> Score {
        if stored.is_win() {
            Score(stored.0 - ply.0 as i16)
        } else if stored.is_loss() {
            Score(stored.0 + ply.0 as i16)
        } else {
            stored
        }
    }

    /// Adds `margin` hundredths, clamped to ±[`INFINITE`](Self::INFINITE).
    pub const fn plus(self, margin: i16) -> Score {
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
    /// `+0.35`, `win in 7`, `loss in 12`, `table win, 5 plies to go`; distances are in plies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            Meaning::Estimate(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Meaning::WinIn(plies) => write!(f, "win in {plies}"),
            Meaning::LossIn(plies) => write!(f, "loss in {plies}"),
            Meaning::TableWin(1) => write!(f, "table win, 1 ply to go"),
            Meaning::TableWin(plies) => write!(f, "table win, {plies} plies to go"),
            Meaning::TableLoss(1) => write!(f, "table loss, 1 ply to go"),
            Meaning::TableLoss(plies) => write!(f, "table loss, {plies} plies to go"),
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
        let falling = [
            Score::INFINITE,
            Score::win_in(Ply(0)),
            Score::win_in(Ply(3)),
            Score::win_in(Ply(1000)),
            Score::table_win(Ply(0), 0),
            Score::table_win(Ply(3), 1),
            Score::table_win(Ply(2), 3),
            Score::table_win(Ply(200), 50),
            Score::table_win(Ply(u16::MAX), u16::MAX),
            Score::MAX_ESTIMATE,
            Score::estimate(1),
            Score::DRAW,
        ];
        assert!(falling.is_sorted_by(|better, worse| better > worse && -*better < -*worse), "{falling:?}");
        assert!(Score::loss_in(Ply(6)) > Score::loss_in(Ply(4)), "the slower loss is better");
        assert!(Score::table_loss(Ply(1), 6) > Score::table_loss(Ply(2), 4), "likewise");
        assert!(Score::table_loss(Ply(1), 1) > Score::loss_in(Ply(1000)), "a loss in sight is worse");
    }

    #[test]
    fn meaning_and_predicates_match_the_band() {
        for (ply, plies) in [(0, 0), (1, 0), (200, 50), (500, 500)] {
            let table = [Score::table_win(Ply(ply), plies), Score::table_loss(Ply(ply), plies)];
            assert_eq!(table.map(Score::meaning), [Meaning::TableWin(ply + plies), Meaning::TableLoss(ply + plies)]);
            let found = [Score::win_in(Ply(ply + plies)), Score::loss_in(Ply(ply + plies))];
            assert_eq!(found.map(Score::meaning), [Meaning::WinIn(ply + plies), Meaning::LossIn(ply + plies)]);
            assert_eq!((table.map(Score::is_proved), found.map(Score::is_proved)), ([false; 2], [true; 2]));
            for [win, loss] in [table, found] {
                assert_eq!(win, -loss);
                assert!(win.is_decided() && win.is_win() && !win.is_loss());
                assert!(loss.is_decided() && loss.is_loss() && !loss.is_win());
            }
        }
        for estimate in [i32::MIN, -1, 0, i32::MAX].map(Score::estimate) {
            assert_eq!(estimate.meaning(), Meaning::Estimate(estimate.value()));
            assert!(!estimate.is_decided() && !estimate.is_win() && !estimate.is_loss() && !estimate.is_proved());
        }
    }

    #[test]
    fn tables_store_distances_from_the_position() {
        let table = [Score::table_win(Ply(4), 50), Score::table_loss(Ply(9), 0)];
        for score in [Score::win_in(Ply(9)), Score::loss_in(Ply(9)), Score::estimate(-37)].into_iter().chain(table) {
            assert_eq!(Score::from_table(score.to_table(Ply(4)), Ply(4)), score);
        }
        assert_eq!(Score::win_in(Ply(9)).to_table(Ply(4)), Score::win_in(Ply(5)));
        // First reached four plies below the root, then seven below it.
        assert_eq!(Score::table_win(Ply(6), 3).to_table(Ply(4)), Score::table_win(Ply(2), 3));
        assert_eq!(
            Score::from_table(Score::table_loss(Ply(6), 3).to_table(Ply(4)), Ply(7)),
            Score::table_loss(Ply(9), 3)
        );
    }

    #[test]
    fn display_gives_estimates_and_distances() {
        for (score, text) in [
            (Score::estimate(35), "+0.35"),
            (Score::win_in(Ply(7)), "win in 7"),
            (Score::loss_in(Ply(12)), "loss in 12"),
            (Score::table_win(Ply(2), 10), "table win, 12 plies to go"),
            (Score::table_loss(Ply(3), 2), "table loss, 5 plies to go"),
            (Score::table_win(Ply(1), 0), "table win, 1 ply to go"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }
}
