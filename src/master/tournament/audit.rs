//! Replays of recorded games: do the moves and clocks bear out the verdict?
//!
//! A record may come from another machine or from an altered file. The audit replays its moves under the rules and
//! compares the outcome with the recorded one.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use crate::league::clock_rules::ClockRules;
use crate::league::{FaultRule, League, Protocol};
use crate::record::{ChosenBy, EndReason, Fault, GameRecord, GameVerdict, Turn};
use crate::referee::ruling;
use kingline::draw::Board;
use kingline::game::{Color, History, ParseError, Rules};
use kingline_players::of_game;
use kingline_players::terminal::escaped;

/// Outcome of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Verdict that the moves lead to; `None` if they cannot be played or do not end the game.
    pub verdict: Option<GameVerdict>,
    /// Everything in the record that contradicts its moves; empty if the record is sound.
    /// Each has its place, the recorded value, and the one that the earlier moves, the rules or the league require.
    pub contradictions: Vec<String>,
}

/// Replays a recorded game under the rules of the game and its league. Random moves, in the opening or by the referee,
/// may be any legal moves.
///
/// A failed game cannot contradict itself: it counts for neither side and is played again.
pub fn audit(record: &GameRecord, league: &League) -> Audit {
    let verdict = Some(record.verdict.clone());
    if matches!(record.verdict.reason, EndReason::Failed(_)) {
        return Audit { verdict, contradictions: Vec::new() };
    }
    if record.game != league.game {
        let wrong = contradiction("the game", record.game, league.game);
        return Audit { verdict: None, contradictions: vec![wrong] };
    }
    let (verdict, mut contradictions) = of_game!(league.game, G => audit_moves::<G>(record, league));
    contradictions.extend(audit_clocks(record, &league.clock));
    Audit { verdict, contradictions }
}

/// Describes a place where a record contradicts its own moves, the rules or its league.
fn contradiction(place: impl Display, read: impl Display, expected: impl Display) -> String {
    format!("{place}: found {read}, expected {expected}")
}

/// Returns the verdict that the moves lead to, if any, and the contradictions. Stops at the first move that cannot be
/// played.
fn audit_moves<G: Board + FromStr<Err = ParseError>>(
    record: &GameRecord,
    league: &League,
) -> (Option<GameVerdict>, Vec<String>) {
    let mut replay = Replay { record, league, history: History::new(G::start()).under(Rules::Course), played: 0 };
    match replay.play() {
        Ok(verdict) => {
            let wrong = replay.compare(&verdict);
            // The moves cannot show that an agent lost by claiming the wrong winner at the end.
            let verdict = if wrong.is_none() { record.verdict.clone() } else { verdict };
            (Some(verdict), wrong.into_iter().collect())
        }
        Err(wrong) => (None, vec![wrong]),
    }
}

struct Replay<'a, G: Board> {
    record: &'a GameRecord,
    league: &'a League,
    history: History<G>,
    /// Number of moves so far, including the opening.
    played: usize,
}

impl<G: Board + FromStr<Err = ParseError>> Replay<'_, G> {
    /// Plays all moves. Returns the verdict that they lead to.
    fn play(&mut self) -> Result<GameVerdict, String> {
        let (record, league) = (self.record, self.league);
        if record.start.parse::<G>().ok() != Some(G::start()) {
            return Err(contradiction("the start", shown(&record.start), format_args!("\"{}\"", G::start())));
        }
        let (found, expected) = (record.opening.len(), league.opening);
        if found != expected as usize {
            return Err(contradiction("the opening", format_args!("{found} random turns"), expected));
        }
        for mv in &record.opening {
            self.make(mv)?;
        }
        let mut fatal = None;
        for turn in &record.turns {
            fatal = self.turn(turn, fatal)?;
        }
        match (fatal, self.ruled()) {
            (Some(fault), _) => Ok(GameVerdict { winner: Some(!fault.side), reason: EndReason::Fault(fault) }),
            (None, Some(verdict)) => Ok(verdict),
            (None, None) => {
                let expected = format!("a game that goes on: {} is to move", self.history.position().turn());
                Err(contradiction("the verdict", shown_verdict(&record.verdict), expected))
            }
        }
    }

    /// Plays a turn. `fatal` is the fault that ended the game in the previous turn, if any. Returns the fault that ends
    /// the game, if any.
    fn turn(&mut self, turn: &Turn, fatal: Option<Fault>) -> Result<Option<Fault>, String> {
        let number = self.played + 1;
        let wrong = |read: String, expected: String| contradiction(format!("turn {number}"), read, expected);
        let a_turn = || format!("a turn by {}", turn.side);
        if let Some(fault) = fatal {
            return Err(wrong(
                a_turn(),
                format!("none: the game was over by a fault, {}", escaped(&fault.to_string())),
            ));
        }
        if let Some(verdict) = self.ruled() {
            return Err(wrong(a_turn(), format!("none: the game was over, {verdict}")));
        }
        let side = self.history.position().turn();
        if turn.side != side {
            return Err(wrong(a_turn(), format!("one by {side}")));
        }
        if let Some(fault) = turn.fault.as_ref().filter(|fault| (fault.side, fault.turn as usize) != (side, number)) {
            return Err(wrong(format!("a fault by {} in turn {}", fault.side, fault.turn), format!("one by {side}")));
        }
        let (read, expected) = match (&turn.mv, turn.chosen_by, &turn.fault, self.league.faults) {
            (Some(mv), ChosenBy::Agent, None, _) | (Some(mv), ChosenBy::Referee, Some(_), FaultRule::RandomMove) => {
                return self.make(mv).map(|()| None);
            }
            (None, ChosenBy::Agent, Some(fault), FaultRule::LosesGame) => return Ok(Some(fault.clone())),
            (None, _, None, _) => ("no move", "a move, or a fault"),
            (None, ..) => {
                ("a fault without a move", "a move by the referee: in this league a fault does not end the game")
            }
            (Some(_), ChosenBy::Referee, ..) => ("a move by the referee", "one by the agent"),
            (Some(_), ChosenBy::Agent, Some(_), _) => ("a fault and a move by the agent", "one or the other"),
        };
        Err(wrong(read.to_owned(), expected.to_owned()))
    }

    fn make(&mut self, text: &str) -> Result<(), String> {
        let number = self.played + 1;
        let mv = self
            .history
            .position()
            .parse_move(text)
            .map_err(|error| contradiction(format!("turn {number}"), shown(text), error.expected))?;
        self.history.play(mv);
        self.played += 1;
        Ok(())
    }

    /// Returns the verdict that the rules give for the current position; `None` if the game goes on.
    fn ruled(&self) -> Option<GameVerdict> {
        ruling(self.league, &self.history, self.played, self.record.left)
    }

    /// Compares the recorded verdict with the one that the moves lead to.
    fn compare(&self, by_moves: &GameVerdict) -> Option<String> {
        let recorded = &self.record.verdict;
        let agrees = match (&recorded.reason, &by_moves.reason) {
            // A wrong claim about the winner comes after the last move, so no turn has that fault.
            (EndReason::Fault(fault), reason) if !matches!(reason, EndReason::Fault(_)) => {
                let has_claims = matches!(self.league.protocol, Protocol::Console2020 | Protocol::Console2015);
                has_claims && recorded.winner == Some(!fault.side) && fault.turn as usize == self.played + 1
            }
            (EndReason::Drawn { draw, more_time }, EndReason::Drawn { draw: ruled, more_time: more }) => {
                recorded.winner.is_none() && draw == ruled && (more_time == more || self.is_close())
            }
            _ => recorded == by_moves,
        };
        let wrong = || contradiction("the verdict", shown_verdict(recorded), shown_verdict(by_moves));
        (!agrees).then(wrong)
    }

    /// Returns true if the remaining times of both sides are equal up to the resolution of records.
    fn is_close(&self) -> bool {
        let [black, white] = self.record.left.map(Option::unwrap_or_default);
        black.abs_diff(white) <= not_recorded(&self.league.clock)
    }
}

/// Formats a verdict that may come from a file.
fn shown_verdict(verdict: &GameVerdict) -> String {
    format!("\"{}\"", escaped(&verdict.to_string()))
}

/// Quotes text from a file, shortened and escaped.
fn shown(text: &str) -> String {
    format!("\"{}\"", ParseError::new(text, "").found)
}

/// Resolution of times in records.
const RECORDED: Duration = Duration::from_micros(1);

/// Returns the tolerance for times. Records store whole microseconds; the clock may be finer, as it was before clocks
/// had a resolution.
fn not_recorded(clock: &ClockRules) -> Duration {
    if clock.resolution > RECORDED { Duration::ZERO } else { RECORDED }
}

/// Returns the contradictions among the recorded times.
fn audit_clocks(record: &GameRecord, clock: &ClockRules) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut left = record.budgets;
    for side in Color::ALL {
        let (found, expected) = (record.budgets[side.index()], clock.game);
        if found != expected {
            wrong.push(contradiction(format!("{side}'s time at the start"), in_seconds(found), in_seconds(expected)));
        }
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let now = &mut left[turn.side.index()];
        let charged = clock.charged(clock.counts.of(&turn.spent));
        let expected = now.map(|left| left.saturating_sub(charged));
        if !is_equal(turn.left, expected, clock) {
            let place = format!("{}'s time left after turn {}", turn.side, record.opening.len() + index + 1);
            let because = format!(
                "{}: {} before, less {} s for the turn",
                in_seconds(expected),
                in_seconds(*now),
                charged.as_secs_f64()
            );
            wrong.push(contradiction(place, in_seconds(turn.left), because));
        }
        // Continue from the recorded time, so that one wrong time is reported once.
        *now = turn.left;
    }
    for side in Color::ALL {
        let (found, expected) = (record.left[side.index()], left[side.index()]);
        if found != expected {
            wrong.push(contradiction(
                format!("{side}'s time left at the end"),
                in_seconds(found),
                in_seconds(expected),
            ));
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

fn in_seconds(time: Option<Duration>) -> String {
    time.map_or("no limit".to_owned(), |time| format!("{} s", time.as_secs_f64()))
}
