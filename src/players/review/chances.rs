//! Winning chances: the points that a search score promises to the side to move.
//!
//! The log-odds of the expected points are a slope times the score, which is [`bent`] where it is large. The slope depends
//! on the number of pieces on the board: linear between the knots of a [`Curve`], constant beyond them. So the chances
//! change smoothly over a game, and a larger score always promises more.
//!
//! `calibrate chances` fits the constants to the results of games of the engine against itself. They hold for two players
//! of equal strength; the guide's page [`review`](crate::guide::review) has the data and the calibration.

use std::fmt;

use serde::{Deserialize, Serialize};

use kingline::game::{Color, Game};
use kingline::score::{Meaning, Score};
use kingline::{checkers, loa};

/// Expected points of the side to move, 0 to 1: 1 for a win, 1/2 for a draw. Exactly 0 or 1 only if the game is decided.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Chances(f64);

/// Log-odds of the points by score, with a slope for each number of pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve<'a> {
    /// Log-odds of the side to move at a score of 0. Not 0 if searches are too hopeful for their side to move.
    pub of_move: f64,
    /// At least one, with falling numbers of pieces.
    pub knots: &'a [Knot],
}

/// The slope at one number of pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// Number of both sides' pieces.
    pub pieces: u32,
    /// Log-odds per hundredth of the evaluation's unit, at small scores; positive.
    pub slope: f64,
}

/// A game with fitted winning chances.
pub trait Judged: Game {
    /// The fitted curve.
    const CURVE: Curve<'static>;

    /// Number of both sides' pieces.
    fn pieces(&self) -> u32;

    /// Returns the chances of the side to move at the score of a search of this position. The constant for the side to
    /// move is that of the search's root: a line's score in a search of an earlier position belongs to that position.
    ///
    /// A score of 0 is an estimate like any other: where the rules or a table tell that the game is drawn, use
    /// [`Chances::DRAW`].
    fn chances(&self, score: Score) -> Chances {
        Self::CURVE.chances(self.pieces(), score)
    }
}

/// Fitted on 2026-11-26 to 11,949 positions of 4,000 games, searched for 100,000 nodes. Log loss on held-out games 0.5337,
/// mean error of ten bins 1.1 points of 100. Standard errors of the slopes 0.0022, 0.0004 and 0.0006; a constant for the side
/// to move gains 0.00004.
const CHECKERS: Curve<'static> = Curve {
    of_move: 0.0,
    knots: &[Knot { pieces: 24, slope: 0.0236 }, Knot { pieces: 16, slope: 0.0197 }, Knot { pieces: 8, slope: 0.0217 }],
};

/// Fitted on 2026-11-26 to 11,744 positions of 4,000 games, searched for 100,000 nodes. Log loss on held-out games 0.4764,
/// mean error of ten bins 1.2 points of 100. Standard errors of the slopes 0.0017 and 0.0012, of the constant 0.025.
const LOA: Curve<'static> =
    Curve { of_move: -0.106, knots: &[Knot { pieces: 24, slope: 0.0310 }, Knot { pieces: 12, slope: 0.0260 }] };

/// Fitted on 2026-11-26 to 9,293 positions of 3,978 games, searched for 100,000 nodes. Log loss on held-out games 0.4003,
/// mean error of ten bins 2.1 points of 100. Standard errors of the slopes 0.0008 and 0.0010, of the constant 0.018.
const LOA6: Curve<'static> =
    Curve { of_move: -0.222, knots: &[Knot { pieces: 16, slope: 0.0245 }, Knot { pieces: 10, slope: 0.0141 }] };

impl Judged for checkers::Position {
    const CURVE: Curve<'static> = CHECKERS;

    fn pieces(&self) -> u32 {
        Color::ALL.into_iter().map(|color| self.count(color)).sum()
    }
}

impl<const N: usize> Judged for loa::Position<N> {
    const CURVE: Curve<'static> = if N == 8 { LOA } else { LOA6 };

    fn pieces(&self) -> u32 {
        Color::ALL.into_iter().map(|color| self.count(color)).sum()
    }
}

impl Chances {
    /// The side to move wins.
    pub(crate) const WIN: Chances = Chances(1.0);
    /// The game is drawn, or both sides have equal chances.
    pub const DRAW: Chances = Chances(0.5);
    /// The side to move loses.
    pub(crate) const LOSS: Chances = Chances(0.0);

    /// Expected points, 0 to 1.
    pub const fn points(self) -> f64 {
        self.0
    }

    /// Returns the chances of the other side.
    #[must_use]
    pub const fn reversed(self) -> Chances {
        Chances(1.0 - self.0)
    }

    /// Chances by their log-odds, never quite 0 or 1.
    fn estimated(log_odds: f64) -> Chances {
        /// Log-odds that no game can tell from a decided one.
        const MOST: f64 = 20.0;
        Chances(1.0 / (1.0 + (-log_odds.clamp(-MOST, MOST)).exp()))
    }
}

/// Returns what the slopes multiply: nearly the score itself up to 100, logarithmic far beyond 200. A larger score that a
/// long search cannot prove promises less than in proportion.
pub fn bent(score: f64) -> f64 {
    /// Score around which the curve bends, in hundredths.
    const BEND: f64 = 200.0;
    BEND * (score / BEND).asinh()
}

impl fmt::Display for Chances {
    /// Writes per cent: `63 %`. Only a decided game has `0 %` or `100 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_cent = (100.0 * self.0).round();
        let is_decided = *self == Chances::WIN || *self == Chances::LOSS;
        write!(f, "{} %", if is_decided { per_cent } else { per_cent.clamp(1.0, 99.0) })
    }
}

impl Curve<'_> {
    /// Returns the chances of the side to move with this number of pieces on the board, at this score.
    pub fn chances(&self, pieces: u32, score: Score) -> Chances {
        if score.is_win() {
            Chances::WIN
        } else if score.is_loss() {
            Chances::LOSS
        } else {
            Chances::estimated(self.log_odds(pieces, score.value().into()))
        }
    }

    /// Returns the log-odds at a number of pieces and an estimated score in hundredths.
    pub fn log_odds(&self, pieces: u32, score: f64) -> f64 {
        self.of_move + self.slope(pieces) * bent(score)
    }

    /// Returns the slope at a number of pieces.
    pub fn slope(&self, pieces: u32) -> f64 {
        let (place, share) = self.place(pieces);
        let next = self.knots.get(place + 1).unwrap_or(&self.knots[place]);
        (1.0 - share) * self.knots[place].slope + share * next.slope
    }

    /// Returns the knot before a number of pieces, and the share of the next knot in the slope there, 0 to 1.
    pub fn place(&self, pieces: u32) -> (usize, f64) {
        match self.knots.iter().position(|knot| knot.pieces <= pieces) {
            Some(0) => (0, 0.0),
            None => (self.knots.len() - 1, 0.0),
            Some(next) => {
                let [before, after] = [self.knots[next - 1].pieces, self.knots[next].pieces];
                (next - 1, f64::from(before - pieces) / f64::from(before - after))
            }
        }
    }
}

/// Worth of a position for one side: the side to move, or the side that made the move in question.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Worth {
    /// Winning chances of that side, 0 to 1: its expected points between equal players.
    pub chances: f64,
    /// Score of the search for that side, in the evaluation's unit, a man in checkers; absent if the worth is exact.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<f64>,
    /// Certain knowledge.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exact: Option<Exact>,
}

/// Certain knowledge about a position, for the side whose worth it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use kingline::score::Ply;

    const CURVES: [Curve; 3] = [CHECKERS, LOA, LOA6];

    fn curve() -> impl Strategy<Value = Curve<'static>> {
        prop::sample::select(CURVES.to_vec())
    }

    /// Any score, most of them within the range of searches.
    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![
            4 => (-600..=600).prop_map(Score::estimate),
            1 => (-28_000..=28_000).prop_map(Score::estimate),
            1 => (0..=1000_u16, any::<bool>()).prop_map(|(plies, is_table)| {
                if is_table { Score::table_win(Ply(0), plies) } else { Score::loss_in(Ply(plies)) }
            }),
        ]
    }

    proptest! {
        #[test]
        fn a_larger_score_never_has_smaller_chances(curve in curve(), pieces in 2..=24_u32, one in score(), other in score()) {
            let [low, high] = [one.min(other), one.max(other)].map(|score| curve.chances(pieces, score));
            prop_assert!(low <= high, "{low:?} {high:?}");
        }

        #[test]
        fn apart_from_the_move_both_sides_share_the_points(curve in curve(), pieces in 2..=24_u32, score in score()) {
            let symmetric = Curve { of_move: 0.0, ..curve };
            let [own, theirs] = [score, -score].map(|score| symmetric.chances(pieces, score));
            prop_assert!((own.points() - theirs.reversed().points()).abs() < 1e-12, "{own:?} {theirs:?}");
            prop_assert!(curve.chances(pieces, score) <= own, "searches are hopeful for their side to move");
        }

        #[test]
        fn only_decided_scores_are_certain(curve in curve(), pieces in 2..=24_u32, score in score()) {
            let chances = curve.chances(pieces, score);
            let is_certain = [Chances::WIN, Chances::LOSS].contains(&chances);
            prop_assert_eq!(is_certain, score.is_decided());
            prop_assert_eq!(["0 %", "100 %"].contains(&&*chances.to_string()), is_certain);
        }
    }

    #[test]
    fn slopes_are_those_of_the_knots_and_linear_between() {
        let curve =
            Curve { of_move: 0.0, knots: &[Knot { pieces: 20, slope: 0.03 }, Knot { pieces: 10, slope: 0.01 }] };
        for (pieces, slope) in [(24, 0.03), (20, 0.03), (15, 0.02), (11, 0.012), (10, 0.01), (2, 0.01)] {
            assert!((curve.slope(pieces) - slope).abs() < 1e-12, "{pieces}");
        }
        for curve in CURVES {
            assert!(curve.knots.is_sorted_by(|one, next| one.pieces > next.pieces) && !curve.knots.is_empty());
            assert!(curve.knots.iter().all(|knot| knot.slope > 0.0), "{curve:?}");
        }
    }

    #[test]
    fn a_trade_changes_the_chances_little() {
        for curve in CURVES {
            for pieces in 3..=24 {
                let [before, after] = [pieces, pieces - 1].map(|pieces| curve.chances(pieces, Score::estimate(80)));
                assert!((before.points() - after.points()).abs() < 0.04, "{pieces}: {before} {after}");
            }
        }
    }

    #[test]
    fn positions_have_the_curve_of_their_game() {
        let score = Score::estimate(100);
        assert_eq!(checkers::Position::start().chances(score), CHECKERS.chances(24, score));
        assert_eq!(loa::Position::<8>::start().chances(score), LOA.chances(24, score));
        assert_eq!(loa::Position::<6>::start().chances(score), LOA6.chances(16, score));
        assert_eq!(checkers::Position::start().chances(Score::estimate(0)), Chances::DRAW);
    }
}
