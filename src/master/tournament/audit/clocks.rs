//! Audit of a record's clocks.

use std::time::Duration;

use super::contradiction::Contradiction;
use crate::league::clock_rules::ClockRules;
use crate::record::GameRecord;
use kingline::game::Color;

/// Resolution of times in records.
const RECORDED: Duration = Duration::from_micros(1);

/// Returns the tolerance for times. Records store whole microseconds; the clock may be finer, as it was before clocks
/// had a resolution.
pub(super) fn not_recorded(clock: &ClockRules) -> Duration {
    if clock.resolution > RECORDED { Duration::ZERO } else { RECORDED }
}

/// Returns the contradictions among the recorded times.
pub(super) fn audit(record: &GameRecord, clock: &ClockRules) -> Vec<Contradiction> {
    let mut wrong = Vec::new();
    let mut left = record.budgets;
    for side in Color::ALL {
        let (found, expected) = (record.budgets[side.index()], clock.game);
        if found != expected {
            wrong.push(Contradiction::new(format!("{side}'s time at the start"), shown(found), shown(expected)));
        }
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let now = &mut left[turn.side.index()];
        let charged = clock.charged(clock.counts.of(&turn.spent));
        let expected = now.map(|left| left.saturating_sub(charged));
        if !is_equal(turn.left, expected, clock) {
            let place = format!("{}'s time left after turn {}", turn.side, record.opening.len() + index + 1);
            let because =
                format!("{}: {} before, less {} s for the turn", shown(expected), shown(*now), charged.as_secs_f64());
            wrong.push(Contradiction::new(place, shown(turn.left), because));
        }
        // Continue from the recorded time, so that one wrong time is reported once.
        *now = turn.left;
    }
    for side in Color::ALL {
        let (found, expected) = (record.left[side.index()], left[side.index()]);
        if found != expected {
            wrong.push(Contradiction::new(format!("{side}'s time left at the end"), shown(found), shown(expected)));
        }
    }
    wrong
}

fn is_equal(found: Option<Duration>, expected: Option<Duration>, clock: &ClockRules) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => found.abs_diff(expected) <= not_recorded(clock),
        (found, expected) => found == expected,
    }
}

fn shown(time: Option<Duration>) -> String {
    time.map_or("no limit".to_owned(), |time| format!("{} s", time.as_secs_f64()))
}
