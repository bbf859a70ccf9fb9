//! A game as a line of a script, from which its page draws boards, clocks and review.
//!
//! A line is an array: number, Black, White, round, pairing, result, seed, random turns, moves, times, verdict, tier and
//! further facts. Agents are indexes of the tournament's. The result is four times the winner (0 none, 1 Black, 2 White)
//! plus Black's half points, 3 if the game counts for neither side.
//!
//! Squares are digits of base 64, row by row from the upper left corner; each move names the square it leaves and the
//! one it reaches, and further squares of a jump after a dot. Numbers are digits of base 32, the lowest first, plus 32
//! where more follow. Each turn of an agent has two: its CPU time in steps of the clock, and its wall time minus that,
//! doubled, or doubled minus 1 and without its sign if negative.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::compact_review;
use super::content::Tournament;
use super::film::{ShownMoves, grid_of, start_of};
use super::text::{SHOWN, cut};
use crate::league::clock_rules::ClockRules;
use crate::record::{ChosenBy, GameRecord, on_a_line};
use crate::tournament::store::Summary;
use kingline::game::Color;
use kingline_players::review::Review;
use kingline_players::terminal::escaped;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The line of a game; `tier` is the index of its tier in the file.
pub(super) fn line(
    tournament: &Tournament,
    summary: &Summary,
    record: &GameRecord,
    review: Option<&Review>,
    tier: usize,
) -> Value {
    let shown = ShownMoves::of(record);
    let grid = grid_of(record.game);
    let moves: String =
        shown.iter().flat_map(|shown| &shown.moves).map(|mv| path(&grid.squares(mv), grid.size)).collect();
    let mut more = Map::new();
    match &shown {
        Ok(shown) => {
            if shown.start != start_of(record.game) {
                more.insert("start".into(), shown.start.clone().into());
            }
            if shown.first == Color::White {
                more.insert("first".into(), "White".into());
            }
        }
        Err(error) => {
            more.insert("error".into(), shown_text(&format!("{error:#}"), SHOWN).into());
            more.insert("texts".into(), as_recorded(record).into());
            more.insert(
                "sides".into(),
                record.turns.iter().map(|turn| turn.side.to_string()).collect::<Vec<_>>().into(),
            );
        }
    }
    add_remarks(&mut more, record);
    add_clocks(&mut more, &tournament.league.clock, record);
    if let Some(review) = review.filter(|review| !review.moves.is_empty()) {
        more.insert("review".into(), compact_review::json(review));
    }
    json!([
        summary.id.0,
        summary.agents[0],
        summary.agents[1],
        summary.round,
        summary.pairing,
        result(summary),
        record.seed.to_string(),
        record.opening.len(),
        moves,
        times(&tournament.league.clock, record),
        shown_text(&record.verdict_in_words(), 4 * SHOWN),
        tier,
        more,
    ])
}

/// The result as a number; see the head of this file.
pub(super) fn result(summary: &Summary) -> u32 {
    let winner = summary.winner.map_or(0, |winner| if winner == Color::Black { 1 } else { 2 });
    4 * winner + summary.half_points.map_or(3, |[black, _]| black.min(2))
}

/// Text from agents with its invisible characters escaped, at most this long.
fn shown_text(text: &str, longest: usize) -> String {
    cut(&escaped(&on_a_line(text)), longest)
}

/// The squares of a move as digits.
fn path(squares: &[(usize, usize)], size: usize) -> String {
    let mut text = String::new();
    for (index, (x, y)) in squares.iter().enumerate() {
        if index > 1 {
            text.push('.');
        }
        text.push(char::from(DIGITS[(y * size + x).min(63)]));
    }
    text
}

fn push_number(text: &mut String, mut number: u128) {
    loop {
        let digit = (number % 32) as usize;
        number /= 32;
        text.push(char::from(DIGITS[if number > 0 { digit + 32 } else { digit }]));
        if number == 0 {
            return;
        }
    }
}

/// CPU and wall time of each turn of an agent.
fn times(clock: &ClockRules, record: &GameRecord) -> String {
    let step = clock.resolution.as_nanos().max(1);
    let mut text = String::new();
    for turn in &record.turns {
        let [cpu, wall] = [turn.spent.cpu, turn.spent.wall].map(|time| time.as_nanos() / step);
        push_number(&mut text, cpu);
        push_number(&mut text, if wall < cpu { 2 * (cpu - wall) - 1 } else { 2 * (wall - cpu) });
    }
    text
}

/// The moves of a game that cannot be replayed.
fn as_recorded(record: &GameRecord) -> Vec<Option<String>> {
    let opening = record.opening.iter().map(Some);
    opening
        .chain(record.turns.iter().map(|turn| turn.mv.as_ref()))
        .map(|mv| mv.map(|mv| shown_text(mv, SHOWN)))
        .collect()
}

/// Adds turns without a move, faults and notes, each with the number of its turn.
fn add_remarks(more: &mut Map<String, Value>, record: &GameRecord) {
    let rows = || (record.opening.len() + 1..).zip(&record.turns);
    let without: Vec<usize> = rows().filter(|(_, turn)| turn.mv.is_none()).map(|(row, _)| row).collect();
    let faults: Vec<Value> = rows()
        .filter_map(|(row, turn)| turn.fault.as_ref().map(|fault| (row, turn, fault)))
        .map(|(row, turn, fault)| {
            let at_random = u8::from(turn.chosen_by == ChosenBy::Referee);
            json!([
                row,
                fault.kind.to_string(),
                shown_text(&fault.read, SHOWN),
                shown_text(&fault.expected, SHOWN),
                at_random
            ])
        })
        .collect();
    let notes =
        rows().flat_map(|(row, turn)| turn.notes.iter().map(move |note| json!([row, shown_text(note, 3 * SHOWN)])));
    let notes: Vec<Value> = notes.collect();
    let lists = [("without", json!(without)), ("faults", json!(faults)), ("notes", json!(notes))];
    more.extend(lists.into_iter().filter(|(_, list)| list.as_array().is_some_and(|list| !list.is_empty())).map(named));
}

fn named((name, value): (&str, Value)) -> (String, Value) {
    (name.to_owned(), value)
}

/// Adds the clocks where they are not what the league's time minus the turns gives.
fn add_clocks(more: &mut Map<String, Value>, clock: &ClockRules, record: &GameRecord) {
    let micros = |time: &Option<Duration>| time.map_or(Value::Null, |time| json!(time.as_micros() as u64));
    if record.budgets != [clock.game; 2] {
        more.insert("budgets".into(), record.budgets.iter().map(micros).collect());
    }
    let mut left = record.budgets;
    let as_computed = record.turns.iter().all(|turn| {
        let own = &mut left[turn.side.index()];
        *own = own.map(|own| own.saturating_sub(clock.charged(clock.counts.of(&turn.spent))));
        *own == turn.left
    });
    if !as_computed || left != record.left {
        more.insert("left".into(), record.turns.iter().map(|turn| micros(&turn.left)).collect());
        more.insert("end".into(), record.left.iter().map(micros).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_numbers_are_digits() {
        assert_eq!(path(&[(5, 2), (3, 4), (5, 6)], 8), "Vj.1");
        for (number, digits) in [(0, "A"), (31, "f"), (32, "gB"), (1000, "of")] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, digits, "{number}");
        }
    }
}
