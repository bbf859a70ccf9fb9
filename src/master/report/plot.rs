//! Plot of ratings, with error bars, beside the points of the standings.

use maud::{Markup, html};

use super::names::Name;
use super::text::{cut, elo, interval, points};
use crate::tournament::rating::Rating;

/// An agent's line in the plot.
pub(super) struct RatingLine<'a> {
    pub(super) name: &'a Name,
    pub(super) rating: Rating,
    /// Half points scored.
    pub(super) half_points: u64,
    /// Games that count; each is worth one point.
    pub(super) games: u64,
}

/// Height of a line.
const LINE: usize = 24;
/// Room for the scale, above and below the lines.
const SCALE: usize = 30;
const WIDTH: usize = 900;
/// Right edge of names.
const NAMES: f64 = 196.0;
/// Left and right edges of ratings and points.
const RATINGS: (f64, f64) = (216.0, 640.0);
const POINTS: (f64, f64) = (670.0, 820.0);
/// Maximum number of marks on the scale.
const MARKS: f64 = 9.0;

/// Draws a line for each agent, in this order.
pub(super) fn plot(lines: &[RatingLine<'_>]) -> Markup {
    let scale = Scale::of(lines);
    let bottom = SCALE + LINE * lines.len();
    let marks: String = scale.marks().map(|mark| format!("M{:.1} {SCALE}V{bottom}", scale.x(mark))).collect();
    html! {
        svg .plot viewBox={ "0 0 " (WIDTH) " " (bottom + SCALE) } role="group" aria-label="Ratings and points" {
            text .head x=(RATINGS.0) y="12" { "Rating (Bradley-Terry) with 95 % intervals" }
            text .head x=(POINTS.0) y="12" { "Points" }
            path .grid d=(marks) {}
            path .zero d=(format_args!("M{:.1} {SCALE}V{bottom}", scale.x(0.0))) {}
            @for mark in scale.marks() {
                text .mark x=(format_args!("{:.1}", scale.x(mark))) y=(bottom + 16) { (elo(mark)) }
            }
            @for (index, line) in lines.iter().enumerate() {
                (line.draw(&scale, SCALE + LINE * index + LINE / 2))
            }
        }
    }
}

impl RatingLine<'_> {
    fn draw(&self, scale: &Scale, y: usize) -> Markup {
        const LONGEST: usize = 26;
        let RatingLine { name, rating, half_points, games } = self;
        let interval = interval(rating).map_or(String::new(), |interval| format!(" ({interval})"));
        let points = points(*half_points);
        let part = *half_points as f64 / 2.0 / (*games).max(1) as f64;
        let (left, right) = POINTS;
        html! {
            a href=(name.file) {
                title { (name.shown) ": " (elo(rating.elo)) (interval) ", " (points) " of " (games) " points" }
                rect .line y=(y - LINE / 2) width=(WIDTH) height=(LINE) {}
                text .name x=(NAMES) y=(y + 4) { (cut(&name.shown, LONGEST)) }
                @if rating.games > 0 {
                    path .bar d=(bar(rating, scale, y)) {}
                    circle .dot cx=(format_args!("{:.1}", scale.x(rating.elo))) cy=(y) r="4.5" {}
                }
                @for (class, part) in [("whole", 1.0), ("part", part)] {
                    @let width = part * (right - left);
                    rect class=(class) x=(left) y=(y - 5) width=(format_args!("{width:.1}")) height="10" rx="2" {}
                }
                text .points x=(right + 8.0) y=(y + 4) { (points) " / " (games) }
            }
        }
    }
}

/// Path of an error bar. An open end reaches the edge of the plot and has an arrow.
fn bar(rating: &Rating, scale: &Scale, y: usize) -> String {
    let from = rating.low.map_or(RATINGS.0, |low| scale.x(low));
    let to = rating.high.map_or(RATINGS.1, |high| scale.x(high));
    let top = y - 4;
    let start = match rating.low {
        Some(_) => format!("M{from:.1} {top}v8"),
        None => format!("m0 0M{:.1} {top}l-5 4 5 4", from + 5.0),
    };
    let end = match rating.high {
        Some(_) => format!("M{to:.1} {top}v8"),
        None => format!("M{:.1} {top}l5 4 -5 4", to - 5.0),
    };
    format!("M{from:.1} {y}H{to:.1}{start}{end}")
}

/// The scale of ratings.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn of(lines: &[RatingLine<'_>]) -> Scale {
        let ends = lines.iter().flat_map(|line| [Some(line.rating.elo), line.rating.low, line.rating.high]).flatten();
        let (low, high) = ends.fold((-50.0, 50.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
        let steps = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
        let step = steps.into_iter().find(|step| (high - low) / step < MARKS).unwrap_or(10_000.0);
        // Some room beside the outermost dots.
        let room = (high - low) * 0.03;
        Scale { low: low - room, high: high + room, step }
    }

    fn x(&self, elo: f64) -> f64 {
        let (left, right) = RATINGS;
        left + (elo - self.low) / (self.high - self.low) * (right - left)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let (first, last) = ((self.low / self.step).ceil() as i64, (self.high / self.step).floor() as i64);
        (first..=last).map(|mark| mark as f64 * self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::store::StoredAgent;

    #[test]
    fn bars_fit_the_scale_and_unbounded_ones_have_arrows() {
        let agent = StoredAgent { name: "<a>".into(), title: None, hash: String::new() };
        let name = Name::of(0, &agent);
        let line = |elo, low, high| RatingLine {
            name: &name,
            rating: Rating { games: 4, elo, low, high },
            half_points: 5,
            games: 4,
        };
        let lines = [line(200.0, Some(100.0), None), line(-200.0, Some(-330.0), Some(-90.0))];
        let drawn = plot(&lines).into_string();
        assert!(drawn.contains("<title>&lt;a&gt;: +200 (+100 or more), 2½ of 4 points</title>"), "{drawn}");
        assert!(drawn.contains("H640.0M") && drawn.contains("M635.0 38l5 4 -5 4"), "{drawn}");
        let scale = Scale::of(&lines);
        assert_eq!(scale.marks().collect::<Vec<f64>>(), [-300.0, -200.0, -100.0, 0.0, 100.0, 200.0]);
        assert!(scale.x(-330.0) > RATINGS.0 && scale.x(200.0) < RATINGS.1);
    }

    #[test]
    fn no_agents_and_no_games_can_be_drawn() {
        assert!(plot(&[]).into_string().contains("+40"));
    }
}
