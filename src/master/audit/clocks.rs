//! Is what each side of a record has left its time less what its turns took?

use std::time::Duration;

use super::Contradiction;
use crate::game::Color;
use crate::master::clock_rules::ClockRules;
use crate::master::record::GameRecord;

/// The finest step of records.
const RECORDED: Duration = Duration::from_micros(1);

/// By how much times can differ because records have whole microseconds, where a clock counts finer than that. Games
/// from before clocks had a resolution were counted so.
pub(super) fn not_recorded(clock: &ClockRules) -> Duration {
    if clock.resolution > RECORDED { Duration::ZERO } else { RECORDED }
}

/// Whatever the recorded times contradict.
pub(super) fn audit(record: &GameRecord, clock: &ClockRules) -> Vec<Contradiction> {
    let mut wrong = Vec::new();
    let mut left = record.budgets;
    for side in Color::ALL {
        let (found, expected) = (record.budgets[side.index()], clock.game);
        if found != expected {
            wrong.push(Contradiction::new(format!("the time of {side} at the start"), shown(found), shown(expected)));
        }
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let now = &mut left[turn.side.index()];
        let charged = clock.charged(clock.counts.of(&turn.spent));
        let expected = now.map(|left| left.saturating_sub(charged));
        if !is_equal(turn.left, expected, clock) {
            let place = format!("what {} has left after turn {}", turn.side, record.opening.len() + index + 1);
            let because =
                format!("{}: {} before, less {} s for the turn", shown(expected), shown(*now), charged.as_secs_f64());
            wrong.push(Contradiction::new(place, shown(turn.left), because));
        }
        // So that one wrong time is reported once.
        *now = turn.left;
    }
    for side in Color::ALL {
        let (found, expected) = (record.left[side.index()], left[side.index()]);
        if found != expected {
            wrong.push(Contradiction::new(format!("what {side} has left at the end"), shown(found), shown(expected)));
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
    time.map_or("no time of its own".to_owned(), |time| format!("{} s", time.as_secs_f64()))
}
