//! How do ratings, with their error bars, compare with the official points?

use std::fmt::{self, Display};

use super::names::Name;
use super::page::html;
use super::text::{Elo, Points, Text, cut};
use crate::master::rating::Rating;

/// An agent's line of the plot.
pub(super) struct RatingLine<'a> {
    pub(super) name: &'a Name,
    pub(super) rating: Rating,
    /// Half points made.
    pub(super) half_points: u64,
    /// Points that could have been made.
    pub(super) games: u64,
}

/// The height of a line.
const LINE: usize = 24;
/// Room for the scale, above and below the lines.
const SCALE: usize = 30;
const WIDTH: usize = 900;
/// The right edge of names, and the ranges of ratings and points.
const NAMES: f64 = 196.0;
const RATINGS: (f64, f64) = (216.0, 640.0);
const POINTS: (f64, f64) = (670.0, 820.0);
/// The most marks on the scale.
const MARKS: f64 = 9.0;

/// Draws a line for each agent, in this order.
pub(super) fn plot(lines: &[RatingLine<'_>]) -> impl Display {
    html(move |f| {
        let scale = Scale::of(lines);
        let bottom = SCALE + LINE * lines.len();
        write!(
            f,
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {}\" role=\"group\" aria-label=\"Ratings and points\">\
             <text class=\"head\" x=\"{}\" y=\"12\">Rating (Bradley-Terry), bars of 95 %</text>\
             <text class=\"head\" x=\"{}\" y=\"12\">Points</text><path class=\"grid\" d=\"",
            bottom + SCALE,
            RATINGS.0,
            POINTS.0
        )?;
        scale.marks().try_for_each(|mark| write!(f, "M{:.1} {SCALE}V{bottom}", scale.x(mark)))?;
        write!(f, "\"/><path class=\"zero\" d=\"M{:.1} {SCALE}V{bottom}\"/>", scale.x(0.0))?;
        for mark in scale.marks() {
            write!(f, "<text class=\"mark\" x=\"{:.1}\" y=\"{}\">{}</text>", scale.x(mark), bottom + 16, Elo(mark))?;
        }
        for (index, line) in lines.iter().enumerate() {
            line.draw(f, &scale, SCALE + LINE * index + LINE / 2)?;
        }
        f.write_str("</svg>")
    })
}

impl RatingLine<'_> {
    fn draw(&self, f: &mut fmt::Formatter<'_>, scale: &Scale, y: usize) -> fmt::Result {
        const LONGEST: usize = 26;
        let RatingLine { name, rating, half_points, games } = self;
        let end = |end: Option<f64>, none| end.map_or(none, |elo| Elo(elo).to_string());
        let (low, high) = (end(rating.low, "any".to_owned()), end(rating.high, "any".to_owned()));
        let (elo, points) = (Elo(rating.elo), Points(*half_points));
        let part = *half_points as f64 / 2.0 / (*games).max(1) as f64;
        let (left, right) = POINTS;
        write!(
            f,
            "\n<a href=\"{}\"><title>{}: {elo} ({low} to {high}), {points} of {games} points</title>\
             <rect class=\"line\" y=\"{}\" width=\"{WIDTH}\" height=\"{LINE}\"/>\
             <text class=\"name\" x=\"{NAMES}\" y=\"{}\">{}</text>",
            name.file,
            Text(&name.shown),
            y - LINE / 2,
            y + 4,
            Text(cut(&name.shown, LONGEST))
        )?;
        if rating.games > 0 {
            // A bar without an end reaches the edge, with an arrow.
            let (from, to) =
                (rating.low.map_or(RATINGS.0, |low| scale.x(low)), rating.high.map_or(RATINGS.1, |high| scale.x(high)));
            write!(f, "<path class=\"bar\" d=\"M{from:.1} {y}H{to:.1}")?;
            match rating.low {
                Some(_) => write!(f, "M{from:.1} {}v8", y - 4)?,
                None => write!(f, "m0 0M{:.1} {}l-5 4 5 4", from + 5.0, y - 4)?,
            }
            match rating.high {
                Some(_) => write!(f, "M{to:.1} {}v8", y - 4)?,
                None => write!(f, "M{:.1} {}l5 4 -5 4", to - 5.0, y - 4)?,
            }
            write!(f, "\"/><circle class=\"dot\" cx=\"{:.1}\" cy=\"{y}\" r=\"4.5\"/>", scale.x(rating.elo))?;
        }
        write!(
            f,
            "<rect class=\"whole\" x=\"{left}\" y=\"{0}\" width=\"{1:.1}\" height=\"10\" rx=\"2\"/>\
             <rect class=\"part\" x=\"{left}\" y=\"{0}\" width=\"{2:.1}\" height=\"10\" rx=\"2\"/>\
             <text class=\"points\" x=\"{3}\" y=\"{4}\">{points} / {games}</text></a>",
            y - 5,
            right - left,
            part * (right - left),
            right + 8.0,
            y + 4
        )
    }
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
    use crate::master::store::StoredAgent;

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
        let drawn = plot(&lines).to_string();
        assert!(drawn.contains("<title>&lt;a&gt;: +200 (+100 to any), 2½ of 4 points</title>"), "{drawn}");
        assert!(drawn.contains("H640.0M") && drawn.contains("M635.0 38l5 4 -5 4"), "{drawn}");
        let scale = Scale::of(&lines);
        assert_eq!(scale.marks().collect::<Vec<f64>>(), [-300.0, -200.0, -100.0, 0.0, 100.0, 200.0]);
        assert!(scale.x(-330.0) > RATINGS.0 && scale.x(200.0) < RATINGS.1);
    }

    #[test]
    fn no_agents_and_no_games_can_be_drawn() {
        assert!(plot(&[]).to_string().contains("+40"));
    }
}
