//! Report of fitted chances.

use std::fmt;

use kingline_players::figures::Figure;
use kingline_players::terminal::in_thousands;
use serde::Serialize;

use super::bins::{Bin, mean_error};

/// Largest mean error of the bins that is good enough, a share of 1.
const TARGET: f64 = 0.03;

/// Fitted constants and their calibration.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) positions: usize,
    pub(super) games: usize,
    /// Slopes at numbers of pieces, in log-odds per hundredth.
    pub(super) knots: Vec<(u32, Fitted)>,
    /// Log-odds of the side to move at a score of 0.
    pub(super) of_move: Fitted,
    pub(super) losses: Losses,
    /// Bins of held-out positions, the smallest chances first.
    pub(super) bins: Vec<Bin>,
}

/// A fitted constant.
#[derive(Serialize)]
pub(super) struct Fitted {
    pub(super) value: f64,
    /// Standard error of the value.
    pub(super) error: f64,
    /// The constant in the programs.
    pub(super) embedded: f64,
}

/// Mean log losses of the results.
#[derive(Serialize)]
pub(super) struct Losses {
    /// Loss of held-out games with slopes only.
    pub(super) slopes: f64,
    /// Loss of held-out games with slopes and a constant for the side to move.
    pub(super) with_move: f64,
    /// Loss of the curve in the programs.
    pub(super) embedded: f64,
    /// Loss if the chances are always even.
    pub(super) even: f64,
}

impl Report {
    /// Returns the calibration of a game as a figure.
    pub(super) fn figure(&self, game: &str) -> Figure {
        let mean = mean_error(&self.bins);
        let (positions, games) = (in_thousands(self.positions as u64), in_thousands(self.games as u64));
        let measured = format!("{:.1} points of 100 over {positions} positions of {games} games", 100.0 * mean);
        let name = format!("winning chances of `{game}`: mean error of ten bins, games held out");
        Figure::new(name, measured).against("at most 3 points", mean <= TARGET)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (positions, games) = (in_thousands(self.positions as u64), in_thousands(self.games as u64));
        writeln!(f, "{positions} positions with an estimated score, of {games} games\n")?;
        writeln!(f, "{:<20}  {:>8}  {:>7}  {:>11}", "log-odds", "fitted", "error", "in programs")?;
        for (pieces, slope) in &self.knots {
            line(f, &format!("slope at {pieces} pieces"), slope)?;
        }
        line(f, "side to move", &self.of_move)?;
        let Losses { slopes, with_move, embedded, even } = self.losses;
        writeln!(f, "\nlog loss  {slopes:.5} on held-out games with slopes only")?;
        writeln!(f, "          {with_move:.5} on held-out games with a constant for the side to move")?;
        writeln!(f, "          {embedded:.5} with the constants in the programs")?;
        writeln!(f, "          {even:.5} with even chances")?;
        writeln!(
            f,
            "\n{:>14}  {:>9}  {:>6}  {:>10}  {:>5}",
            "chances, %", "predicted", "points", "difference", "error"
        )?;
        for &Bin { from, to, predicted, points, error, .. } in &self.bins {
            let [from, to, predicted, points, error] = [from, to, predicted, points, error].map(|share| 100.0 * share);
            let bin = format!("{from:.1} to {to:.1}");
            let difference = points - predicted;
            writeln!(f, "{bin:>14}  {predicted:>9.1}  {points:>6.1}  {difference:>+10.1}  {error:>5.1}")?;
        }
        write!(f, "mean error of the bins: {:.1} points of 100", 100.0 * mean_error(&self.bins))
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, &Fitted { value, error, embedded }: &Fitted) -> fmt::Result {
    writeln!(f, "{name:<20}  {value:>8.5}  {error:>7.5}  {embedded:>11.5}")
}
