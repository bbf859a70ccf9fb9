//! Loss curve as SVG.

use std::fmt::Write;

use super::train::Losses;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;

/// Draws the held-out losses after each pass.
pub(super) fn svg(losses: &[Losses]) -> String {
    let values = || losses.iter().flat_map(|losses| [losses.all, losses.level]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max).max(low + 1e-6);
    let x = |pass: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * pass as f64 / (losses.len().max(2) - 1) as f64;
    let y = |loss: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (high - loss) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut line = |color: &str, name: &str, row: f64, of: fn(&Losses) -> f64| {
        let points: Vec<String> =
            losses.iter().enumerate().map(|(pass, losses)| format!("{:.1},{:.1}", x(pass), y(of(losses)))).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{}\" y=\"{row}\" fill=\"{color}\" text-anchor=\"end\">{name}: {:.4}</text>",
            points.join(" "),
            WIDTH - MARGIN,
            losses.last().map_or(f64::NAN, of),
        );
    };
    line("#1f77b4", "held out, all", 20.0, |losses| losses.all);
    line("#d62728", "held out, level material", 36.0, |losses| losses.level);
    for loss in [low, high] {
        let _ = writeln!(svg, "<text x=\"4\" y=\"{:.1}\">{loss:.4}</text>", y(loss) + 4.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{MARGIN}\" y=\"{}\">passes 1 to {}; log loss against results</text>",
        HEIGHT - 16.0,
        losses.len()
    );
    svg + "</svg>\n"
}
