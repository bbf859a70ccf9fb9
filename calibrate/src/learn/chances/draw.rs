//! The calibration as SVG: results by predicted chances, a point for each bin.

use kingline_players::chart::{Axis, Chart, Point, Series};
use kingline_players::terminal::in_thousands;

use super::bins::{Bin, mean_error};
use super::report::Report;

/// Draws the bins of a game; the bars are two standard errors to each side.
pub(super) fn svg(report: &Report, game: &str) -> String {
    let (positions, games) = (in_thousands(report.positions as u64), in_thousands(report.games as u64));
    let percent = |label: &str| Axis {
        ends: [0.0, 1.0],
        marks: (0..=5).map(|tick| (f64::from(tick) / 5.0, format!("{} %", 20 * tick))).collect(),
        label: label.to_owned(),
    };
    let point = |&Bin { predicted, points, error, .. }: &Bin| Point {
        at: [predicted, points],
        error: Some([-2.0, 2.0].map(|errors: f64| (points + errors * error).clamp(0.0, 1.0))),
        ..Point::default()
    };
    let exact = [0.0, 1.0].map(|share| Point { at: [share, share], ..Point::default() });
    Chart {
        title: format!("{game}: mean error {:.1} points", 100.0 * mean_error(&report.bins)),
        note: format!("{positions} positions of {games} held-out games"),
        size: [300.0, 300.0],
        x: percent("predicted chances of the side to move"),
        y: percent("points scored"),
        series: vec![
            Series { color: "#999999", has_line: true, points: exact.to_vec(), ..Series::default() },
            Series {
                color: "#1f77b4",
                has_dots: true,
                points: report.bins.iter().map(point).collect(),
                ..Series::default()
            },
        ],
    }
    .file()
}
