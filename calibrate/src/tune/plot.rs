//! The way of each number as SVG.

use kingline_players::chart::{Axis, Chart, Point, Series};
use kingline_players::terminal::escaped;

use super::numbers::Number;

/// Colors of the lines, used again after the last one.
const COLORS: [&str; 8] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"];
/// Largest number of points in a line.
const POINTS: usize = 500;

/// Draws the values after each batch of games, each number between its bounds. `way` begins with the first values.
pub(super) fn svg(numbers: &[Number], way: &[Vec<f64>], pairs: usize) -> String {
    let last = (way.len().max(2) - 1) as f64;
    let every = way.len().div_ceil(POINTS).max(1);
    let places = (0..way.len()).filter(|place| place % every == 0 || place + 1 == way.len());
    let line = |(index, number): (usize, &Number)| {
        let &Number { begin, min, max, .. } = number;
        let end = number.rounded(way.last().map_or(begin, |values| values[index]));
        let share = |place: usize| (way[place][index] - min) / (max - min);
        Series {
            name: format!("{}: {begin} to {end} (bounds {min} and {max})", escaped(&number.name)),
            color: COLORS[index % COLORS.len()],
            has_line: true,
            has_dots: false,
            points: places.clone().map(|at| Point { at: [at as f64, share(at)], ..Point::default() }).collect(),
        }
    };
    Chart {
        title: "Tuned numbers, each between its bounds".to_owned(),
        note: String::new(),
        size: [624.0, 264.0],
        x: Axis {
            ends: [0.0, last],
            marks: vec![(0.0, "0".to_owned()), (last, pairs.to_string())],
            label: "pairs of games".to_owned(),
        },
        y: Axis {
            ends: [0.0, 1.0],
            marks: vec![(0.0, "min".to_owned()), (1.0, "max".to_owned())],
            label: "value".to_owned(),
        },
        series: numbers.iter().enumerate().map(line).collect(),
    }
    .file()
}
