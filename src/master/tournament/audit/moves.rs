//! Audit of a record's moves.

use std::str::FromStr;

use super::clocks::not_recorded;
use super::contradiction::Contradiction;
use crate::league::{FaultRule, League, Protocol};
use crate::record::{ChosenBy, EndReason, Fault, GameRecord, GameVerdict, Turn};
use crate::referee::ruling;
use kingline::draw::Board;
use kingline::game::{History, ParseError};
use kingline_players::terminal::escaped;

/// Returns the verdict that the moves lead to, if any, and the contradictions. Stops at the first move that cannot be
/// played.
pub(super) fn audit<G: Board + FromStr<Err = ParseError>>(
    record: &GameRecord,
    league: &League,
) -> (Option<GameVerdict>, Vec<Contradiction>) {
    let mut replay = Replay { record, league, history: History::new(G::start()), played: 0 };
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

/// A replay of a recorded game.
struct Replay<'a, G: Board> {
    record: &'a GameRecord,
    league: &'a League,
    history: History<G>,
    /// Number of moves so far, including the opening.
    played: usize,
}

impl<G: Board + FromStr<Err = ParseError>> Replay<'_, G> {
    /// Plays all moves. Returns the verdict that they lead to.
    fn play(&mut self) -> Result<GameVerdict, Contradiction> {
        let (record, league) = (self.record, self.league);
        if record.start.parse::<G>().ok() != Some(G::start()) {
            return Err(Contradiction::new("the start", shown(&record.start), format_args!("\"{}\"", G::start())));
        }
        let (found, expected) = (record.opening.len(), league.opening);
        if found != expected as usize {
            return Err(Contradiction::new("the opening", format_args!("{found} random turns"), expected));
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
                Err(Contradiction::new("the verdict", shown_verdict(&record.verdict), expected))
            }
        }
    }

    /// Plays a turn. `fatal` is the fault that ended the game in the previous turn, if any. Returns the fault that ends
    /// the game, if any.
    fn turn(&mut self, turn: &Turn, fatal: Option<Fault>) -> Result<Option<Fault>, Contradiction> {
        let number = self.played + 1;
        let wrong = |read: String, expected: String| Contradiction::new(format!("turn {number}"), read, expected);
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

    /// Plays a move recorded as text.
    fn make(&mut self, text: &str) -> Result<(), Contradiction> {
        let number = self.played + 1;
        let mv = self
            .history
            .position()
            .parse_move(text)
            .map_err(|error| Contradiction::new(format!("turn {number}"), shown(text), error.expected))?;
        self.history.play(mv);
        self.played += 1;
        Ok(())
    }

    /// Returns the verdict that the rules give for the current position; `None` if the game goes on.
    fn ruled(&self) -> Option<GameVerdict> {
        ruling(self.league, &self.history, self.played, self.record.left)
    }

    /// Compares the recorded verdict with the one that the moves lead to.
    fn compare(&self, by_moves: &GameVerdict) -> Option<Contradiction> {
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
        let wrong = || Contradiction::new("the verdict", shown_verdict(recorded), shown_verdict(by_moves));
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
