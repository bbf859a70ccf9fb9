//! The way of each number as SVG.

use std::fmt::Write;

use kingline_players::terminal::escaped;

use super::numbers::Number;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 48.0;
/// Distance of two lines of text.
const LINE: f64 = 16.0;
/// Colors of the lines, used again after the last one.
const COLORS: [&str; 8] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"];
/// Largest number of points in a line.
const POINTS: usize = 500;

/// Draws the values after each batch of games, each number between its bounds. `way` begins with the first values.
pub(super) fn svg(numbers: &[Number], way: &[Vec<f64>], pairs: usize) -> String {
    let below = HEIGHT - MARGIN + LINE;
    let height = below + LINE * (numbers.len() + 1) as f64;
    let x = |place: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * place as f64 / (way.len().max(2) - 1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
         <text x=\"4\" y=\"{}\">max</text>\n<text x=\"4\" y=\"{}\">min</text>\n\
         <text x=\"{MARGIN}\" y=\"{below}\">{pairs} pairs of games</text>\n",
        MARGIN + 4.0,
        HEIGHT - MARGIN + 4.0,
    );
    for (index, number) in numbers.iter().enumerate() {
        let y = |value: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (number.max - value) / (number.max - number.min);
        let every = way.len().div_ceil(POINTS).max(1);
        let places = (0..way.len()).filter(|place| place % every == 0 || place + 1 == way.len());
        let points: Vec<String> = places.map(|place| format!("{:.1},{:.1}", x(place), y(way[place][index]))).collect();
        let last = way.last().map_or(number.begin, |values| values[index]);
        let (color, row) = (COLORS[index % COLORS.len()], below + LINE * (index + 1) as f64);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{MARGIN}\" y=\"{row}\" fill=\"{color}\">{}: {} to {} (bounds {} and {})</text>",
            points.join(" "),
            escaped(&number.name),
            number.begin,
            number.rounded(last),
            number.min,
            number.max,
        );
    }
    svg + "</svg>\n"
}
