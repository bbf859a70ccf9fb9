//! Loss curve as SVG.

use kingline_players::chart::{Axis, Chart, Point, Series};

use super::train::Losses;

/// Draws the held-out losses after each pass.
pub(super) fn svg(losses: &[Losses]) -> String {
    let values = || losses.iter().flat_map(|losses| [losses.all, losses.level]);
    let ends = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    let last = losses.len().max(2);
    let line = |name: &str, color, of: fn(&Losses) -> f64| Series {
        name: format!("{name}: {:.4}", losses.last().map_or(f64::NAN, of)),
        color,
        has_line: true,
        has_dots: false,
        points: (1..)
            .zip(losses)
            .map(|(pass, losses)| Point { at: [pass.into(), of(losses)], ..Point::default() })
            .collect(),
    };
    Chart {
        title: "Loss on held-out positions".to_owned(),
        note: String::new(),
        size: [544.0, 264.0],
        x: Axis {
            ends: [1.0, last as f64],
            marks: [1, last].map(|pass| (pass as f64, pass.to_string())).to_vec(),
            label: "passes".to_owned(),
        },
        y: Axis {
            label: "log loss against results".to_owned(),
            ..Axis::in_steps(ends, 6.0, |loss| format!("{loss:.4}"))
        },
        series: vec![
            line("held out, all", "#1f77b4", |losses| losses.all),
            line("held out, level material", "#d62728", |losses| losses.level),
        ],
    }
    .file()
}
