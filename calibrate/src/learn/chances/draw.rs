//! The calibration as SVG: results by predicted chances, a point for each bin.

use std::fmt::Write;

use kingline_players::terminal::in_thousands;

use super::bins::{Bin, mean_error};
use super::report::Report;

const SIDE: f64 = 300.0;
const LEFT: f64 = 52.0;
const TOP: f64 = 34.0;
const WIDTH: f64 = LEFT + SIDE + 18.0;
const HEIGHT: f64 = TOP + SIDE + 46.0;

/// Draws the bins of a game; the bars are two standard errors to each side.
pub(super) fn svg(report: &Report, game: &str) -> String {
    let x = |share: f64| LEFT + SIDE * share;
    let y = |share: f64| TOP + SIDE * (1.0 - share);
    let (positions, games) = (in_thousands(report.positions as u64), in_thousands(report.games as u64));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"14\" font-size=\"13\">{game}: mean error {:.1} points</text>\n\
         <text x=\"{LEFT}\" y=\"28\" fill=\"#666666\">{positions} positions of {games} held-out games</text>\n",
        100.0 * mean_error(&report.bins)
    );
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {TOP}V{}M{LEFT} {:.1}H{}\" stroke=\"#dddddd\"/>\n\
             <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{} %</text>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{} %</text>",
            x(share),
            y(0.0),
            y(share),
            x(1.0),
            x(share),
            y(0.0) + 15.0,
            20 * tick,
            LEFT - 5.0,
            y(share) + 4.0,
            20 * tick,
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}L{} {}\" stroke=\"#999999\" stroke-dasharray=\"4 3\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">predicted chances of the side to move</text>\n\
         <text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">points scored</text>",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0),
        x(0.5),
        HEIGHT - 10.0,
        y(0.5),
    );
    for &Bin { predicted, points, error, .. } in &report.bins {
        let [low, high] = [-2.0, 2.0].map(|errors: f64| (points + errors * error).clamp(0.0, 1.0));
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}V{:.1}\" stroke=\"#1f77b4\" stroke-width=\"1.5\"/>\
             <circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#1f77b4\"/>",
            x(predicted),
            y(low),
            y(high),
            x(predicted),
            y(points),
        );
    }
    svg + "</svg>\n"
}
