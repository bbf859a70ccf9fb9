//! Bar chart of the time that each turn of a game took.

use std::time::Duration;

use maud::{Markup, html};

use crate::league::clock_rules::ClockRules;
use kingline::game::Color;

/// Width and height of the drawing.
const SIZE: (usize, usize) = (600, 120);
const MIDDLE: f64 = 60.0;
const LONGEST: f64 = 54.0;

/// Draws a bar for each turn in `spent`, upward for Black and downward for White. Each comes with its index among all
/// `turns` of the game.
pub(super) fn times(clock: &ClockRules, spent: &[(usize, Color, Duration)], turns: usize) -> Markup {
    let most = spent.iter().map(|&(.., time)| time).max().unwrap_or_default();
    let (width, height) = SIZE;
    let step = width as f64 / turns.max(1) as f64;
    let bars = |side: Color| -> String {
        let sign = if side == Color::Black { -1.0 } else { 1.0 };
        let bar = |place: usize, time: Duration| {
            let part = time.as_secs_f64() / most.as_secs_f64().max(f64::MIN_POSITIVE);
            format!("M{:.1} {MIDDLE}v{:.1}", (place as f64 + 0.5) * step, sign * LONGEST * part)
        };
        spent.iter().filter(|&&(_, owner, _)| owner == side).map(|&(place, _, time)| bar(place, time)).collect()
    };
    let seconds = clock.seconds(most).to_string();
    html! {
        svg #times data-turns=(turns) viewBox=(format_args!("0 0 {width} {height}")) role="img"
            aria-label={ "Time of each turn, " (seconds) " s at most" } {
            path .axis d=(format_args!("M0 {MIDDLE}H{width}")) {}
            g stroke-width=(format_args!("{:.1}", (step * 0.7).clamp(0.5, 8.0))) {
                path .black d=(bars(Color::Black)) {}
                path .white d=(bars(Color::White)) {}
            }
            text x="2" y="11" { (seconds) " s" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::League;

    #[test]
    fn bars_are_proportional_to_their_turns() {
        let spent = [(2, Color::Black, Duration::from_millis(500)), (3, Color::White, Duration::from_secs(1))];
        let clock = League::named("checkers").unwrap().clock;
        let chart = times(&clock, &spent, 4).into_string();
        assert!(chart.contains("1.00 s at most"), "{chart}");
        assert!(chart.contains("class=\"black\" d=\"M375.0 60v-27.0\""), "{chart}");
        assert!(chart.contains("class=\"white\" d=\"M525.0 60v54.0\""), "{chart}");
    }
}
