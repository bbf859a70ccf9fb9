//! Is every move of a record legal, in turn, and is the game over when it ends?

use std::str::FromStr;

use super::Contradiction;
use crate::draw::Board;
use crate::game::{History, ParseError};
use crate::master::league::{FaultRule, League, Protocol};
use crate::master::record::{ChosenBy, EndReason, Fault, GameRecord, GameVerdict, Turn};
use crate::master::referee::ruling;
use crate::terminal::escaped;

/// The verdict by the moves, if they lead to one, and what contradicts them. After the first move that cannot be played
/// nothing more can be said.
pub(super) fn audit<G: Board + FromStr<Err = ParseError>>(
    record: &GameRecord,
    league: &League,
) -> (Option<GameVerdict>, Vec<Contradiction>) {
    let mut replay = Replay { record, league, history: History::new(G::start()), played: 0 };
    match replay.play() {
        Ok(verdict) => {
            let wrong = replay.compare(&verdict);
            // Who claims a wrong winner at the end loses, which the moves alone do not tell.
            let verdict = if wrong.is_none() { record.verdict.clone() } else { verdict };
            (Some(verdict), wrong.into_iter().collect())
        }
        Err(wrong) => (None, vec![wrong]),
    }
}

/// A recorded game as it is played again.
struct Replay<'a, G: Board> {
    record: &'a GameRecord,
    league: &'a League,
    history: History<G>,
    /// Moves so far, those of the opening included.
    played: usize,
}

impl<G: Board + FromStr<Err = ParseError>> Replay<'_, G> {
    /// Plays all moves; returns the verdict to which they lead.
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

    /// Plays a turn, after one that ended with the fault `fatal` if any did; returns the fault that ends the game.
    fn turn(&mut self, turn: &Turn, fatal: Option<Fault>) -> Result<Option<Fault>, Contradiction> {
        let number = self.played + 1;
        let wrong = |read: String, expected: String| Contradiction::new(format!("turn {number}"), read, expected);
        let a_turn = || format!("a turn of {}", turn.side);
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
            return Err(wrong(a_turn(), format!("one of {side}")));
        }
        if let Some(fault) = turn.fault.as_ref().filter(|fault| (fault.side, fault.turn as usize) != (side, number)) {
            return Err(wrong(format!("a fault of {} in turn {}", fault.side, fault.turn), format!("one of {side}")));
        }
        let (read, expected) = match (&turn.mv, turn.chosen_by, &turn.fault, self.league.faults) {
            (Some(mv), ChosenBy::Agent, None, _) | (Some(mv), ChosenBy::Referee, Some(_), FaultRule::RandomMove) => {
                return self.make(mv).map(|()| None);
            }
            (None, ChosenBy::Agent, Some(fault), FaultRule::LosesGame) => return Ok(Some(fault.clone())),
            (None, _, None, _) => ("no move", "a move, or a fault"),
            (None, ..) => ("a fault without a move", "a move of the referee: in this league a fault ends no game"),
            (Some(_), ChosenBy::Referee, ..) => ("a move of the referee", "one of the agent"),
            (Some(_), ChosenBy::Agent, Some(_), _) => ("a fault and a move of the agent", "one of them"),
        };
        Err(wrong(read.to_owned(), expected.to_owned()))
    }

    /// Plays a move that is recorded as text.
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

    /// The verdict of the rules of game and league on the board now; `None`: the game goes on.
    fn ruled(&self) -> Option<GameVerdict> {
        ruling(self.league, &self.history, self.played, self.record.left)
    }

    /// Compares the verdict of the record with that of its moves.
    fn compare(&self, by_moves: &GameVerdict) -> Option<Contradiction> {
        let recorded = &self.record.verdict;
        let agrees = match (&recorded.reason, &by_moves.reason) {
            // A wrong claim about the winner when all moves are made: no turn has that fault.
            (EndReason::Fault(fault), reason) if !matches!(reason, EndReason::Fault(_)) => {
                let has_claims = matches!(self.league.protocol, Protocol::Console2020 | Protocol::Console2015);
                has_claims && recorded.winner == Some(!fault.side) && fault.turn as usize == self.played + 1
            }
            (EndReason::Drawn { draw, more_time }, EndReason::Drawn { draw: ruled, more_time: more }) => {
                recorded.winner.is_none() && draw == ruled && (more_time == more || self.is_close())
            }
            // What is distinguished from it now had the same name before.
            (EndReason::Blocked, EndReason::Captured) => recorded.winner == by_moves.winner,
            _ => recorded == by_moves,
        };
        let wrong = || Contradiction::new("the verdict", shown_verdict(recorded), shown_verdict(by_moves));
        (!agrees).then(wrong)
    }

    /// Whether what both sides have left is equal but for the digits that are not recorded.
    fn is_close(&self) -> bool {
        let [black, white] = self.record.left.map(Option::unwrap_or_default);
        black.abs_diff(white) <= super::clocks::not_recorded(&self.league.clock)
    }
}

/// A verdict that may come from a file, in words.
fn shown_verdict(verdict: &GameVerdict) -> String {
    format!("\"{}\"", escaped(&verdict.to_string()))
}

/// Text from a file, in quotes, cut and escaped.
fn shown(text: &str) -> String {
    format!("\"{}\"", ParseError::new(text, "").found)
}
