//! How much time did each turn of a game take? Bars.

use std::fmt::{self, Display};
use std::time::Duration;

use super::page::html;
use crate::game::Color;
use crate::master::clock_rules::ClockRules;

/// Width and height of the drawing.
const SIZE: (usize, usize) = (600, 120);
const MIDDLE: f64 = 60.0;
const LONGEST: f64 = 54.0;

/// A bar for each turn, given with its index among all `turns` of the game: Black's upwards, White's downwards.
pub(super) fn times(clock: &ClockRules, spent: &[(usize, Color, Duration)], turns: usize) -> impl Display {
    html(move |f| {
        let most = spent.iter().map(|&(.., time)| time).max().unwrap_or_default();
        let (width, height) = SIZE;
        let step = width as f64 / turns.max(1) as f64;
        let bars = |side: Color| {
            html(move |f: &mut fmt::Formatter<'_>| {
                for &(place, _, time) in spent.iter().filter(|&&(_, owner, _)| owner == side) {
                    let part = time.as_secs_f64() / most.as_secs_f64().max(f64::MIN_POSITIVE);
                    let sign = if side == Color::Black { -1.0 } else { 1.0 };
                    write!(f, "M{:.1} {MIDDLE}v{:.1}", (place as f64 + 0.5) * step, sign * LONGEST * part)?;
                }
                Ok(())
            })
        };
        write!(
            f,
            "<svg id=\"times\" data-turns=\"{turns}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"Time of each turn, {} s at most\"><path class=\"axis\" d=\"M0 {MIDDLE}H{width}\"/>\
             <g stroke-width=\"{:.1}\"><path class=\"black\" d=\"{}\"/><path class=\"white\" d=\"{}\"/></g>\
             <text x=\"2\" y=\"11\">{} s</text></svg>",
            clock.seconds(most),
            (step * 0.7).clamp(0.5, 8.0),
            bars(Color::Black),
            bars(Color::White),
            clock.seconds(most)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::league::League;

    #[test]
    fn bars_are_proportional_to_their_turns() {
        let spent = [(2, Color::Black, Duration::from_millis(500)), (3, Color::White, Duration::from_secs(1))];
        let clock = League::named("checkers").unwrap().clock;
        let chart = times(&clock, &spent, 4).to_string();
        assert!(chart.contains("1.00 s at most"), "{chart}");
        assert!(chart.contains("class=\"black\" d=\"M375.0 60v-27.0\""), "{chart}");
        assert!(chart.contains("class=\"white\" d=\"M525.0 60v54.0\""), "{chart}");
    }
}
