//! The pictures as SVG.

use std::fmt::Write;

use kingline::evaluate::loa::BUCKETS;

use super::measure::{Found, Mean, STEP, STEPS};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 520.0;
/// Side of a square of a board.
const SIDE: f64 = 20.0;
/// Names of the stages, by the pieces on the board.
const STAGES: [&str; BUCKETS] = ["20 to 24 pieces", "15 to 19", "10 to 14", "9 and fewer"];
const COLORS: [&str; BUCKETS] = ["#1f77b4", "#2ca02c", "#ff7f0e", "#d62728"];
/// Fewest numbers of a mean that is drawn.
const FEWEST: u32 = 20;

/// Draws both pictures.
pub(super) fn svg(found: &Found) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\" font-size=\"13\">What a piece is worth on each square, in hundredths</text>\n"
    );
    for (stage, worth) in found.worth.iter().enumerate() {
        board(&mut svg, 10.0 + 178.0 * stage as f64, STAGES[stage], worth);
    }
    curves(&mut svg, found);
    svg + "</svg>\n"
}

/// Draws a board with its upper left corner at `left`; blue squares are worth more than the mean, red ones less.
fn board(svg: &mut String, left: f64, name: &str, worth: &[Mean; 64]) {
    const TOP: f64 = 44.0;
    let values = worth.map(|mean| mean.get().filter(|_| mean.count >= FEWEST));
    let known: Vec<f64> = values.into_iter().flatten().collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let most = known.iter().map(|value| (value - mean).abs()).fold(1.0, f64::max);
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{name}</text>", TOP - 6.0);
    for (square, value) in values.into_iter().enumerate() {
        let (x, y) = (left + SIDE * (square % 8) as f64, TOP + SIDE * (7 - square / 8) as f64);
        let fill = value.map_or("#dddddd".to_owned(), |value| color((value - mean) / most));
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\" stroke=\"#999999\" \
             stroke-width=\"0.5\"/>"
        );
        if let Some(value) = value {
            let (x, y) = (x + SIDE / 2.0, y + SIDE / 2.0 + 3.0);
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"8\" text-anchor=\"middle\">{}</text>",
                value.round() as i32
            );
        }
        svg.push('\n');
    }
}

/// Returns white for 0, blue for 1 and red for -1.
fn color(share: f64) -> String {
    let faded = (255.0 * (1.0 - 0.7 * share.abs())).round();
    if share > 0.0 { format!("rgb({faded},{faded},255)") } else { format!("rgb(255,{faded},{faded})") }
}

/// Draws the value by concentration, a curve for each stage.
fn curves(svg: &mut String, found: &Found) {
    const LEFT: f64 = 60.0;
    const TOP: f64 = 270.0;
    const BOTTOM: f64 = 470.0;
    let means = |stage: usize| {
        let means = found.by_concentration[stage].iter().enumerate();
        means.filter(|(_, mean)| mean.count >= FEWEST).filter_map(|(step, mean)| Some((step, mean.get()?)))
    };
    let most = (0..BUCKETS).flat_map(means).map(|(_, value)| value.abs()).fold(1.0, f64::max);
    let x = |step: usize| LEFT + (WIDTH - LEFT - 160.0) * step as f64 / (STEPS - 1) as f64;
    let y = |value: f64| f64::midpoint(TOP, BOTTOM) - value / most * (BOTTOM - TOP) / 2.0;
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"10\" y=\"{}\" font-size=\"13\">Value for a side, by how much closer its pieces lie to their \
         center</text>\n<line x1=\"{LEFT}\" y1=\"{zero}\" x2=\"{}\" y2=\"{zero}\" stroke=\"#999999\"/>",
        TOP - 20.0,
        x(STEPS - 1),
        zero = y(0.0)
    );
    for value in [-most, 0.0, most] {
        let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{value:.0}</text>", y(value) + 4.0);
    }
    for step in (0..STEPS).step_by(2) {
        let closer = STEP * (step as f64 - (STEPS / 2) as f64);
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{closer:+.1}</text>", x(step), BOTTOM + 16.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\">squares of mean distance from the center of mass, the other side's less its own\
         </text>",
        BOTTOM + 34.0
    );
    for (stage, name) in STAGES.iter().enumerate() {
        let points: Vec<String> = means(stage).map(|(step, value)| format!("{:.1},{:.1}", x(step), y(value))).collect();
        let color = COLORS[stage];
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - 150.0,
            TOP + 16.0 * stage as f64
        );
    }
}
