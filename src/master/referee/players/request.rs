//! 6x6 Lines of Action players that answer requests.

use std::time::Duration;

use super::contestant::Contestant;
use super::violation::{answer_of, is_clean, last_words, limits, unspoiled};
use crate::league::{Format, League};
use crate::record::{FaultKind, Violation};
use crate::referee::player::{Answer, Ask, Player};
use crate::sandbox::{Cell, Job, Output, Run};
use kingline::game::{Color, Game, ParseError};
use kingline::loa::{Move, Position};
use kingline_players::protocol::request::{Request, as_x, is_answer, line_slip, read_answer, write_answer};

/// Maximum length of an answer in bytes: a move has 4, a name at most 80.
const LONGEST_ANSWER: usize = 4096;

/// Plays 6x6 Lines of Action with one process per turn and a request on standard input (§2 of its contract).
pub struct RequestPlayer<'a> {
    contestant: &'a Contestant,
    league: &'a League,
    cell: Cell,
    format: Format,
}

impl<'a> RequestPlayer<'a> {
    /// A player for an agent in its own cell.
    pub fn new(contestant: &'a Contestant, league: &'a League, cell: Cell) -> RequestPlayer<'a> {
        RequestPlayer { contestant, league, cell, format: league.format }
    }

    /// Sets the format of answers, overriding the league's.
    pub(crate) fn read_as(&mut self, format: Format) {
        self.format = format;
    }

    /// Asks the agent for its name (§2): 1 to 80 characters of printable ASCII; `None` if it gives no valid one.
    pub fn identify(&mut self) -> anyhow::Result<Option<String>> {
        self.begin(Color::Black)?;
        let run = self.ask(Request::Identify, self.league.clock.patience)?;
        let text = String::from_utf8_lossy(&run.stdout);
        let line = text.lines().next().unwrap_or_default().trim();
        let fits = (1..=80).contains(&line.len()) && line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        Ok(fits.then(|| line.to_owned()))
    }

    fn ask(&mut self, request: Request, within: Duration) -> anyhow::Result<Run> {
        let job = Job { input: request.to_string().into_bytes(), ..self.job(within) };
        unspoiled(&self.league.clock, || {
            // The agent keeps no files from turn to turn.
            self.contestant.settle(&mut self.cell, None)?;
            Ok(self.cell.run(&job)?)
        })
    }

    fn job(&self, within: Duration) -> Job {
        // One more byte reveals an answer that is too long.
        let output = Output::Keep { bytes: LONGEST_ANSWER + 1 };
        self.contestant.job(
            &self.cell,
            &self.contestant.agent().player,
            Vec::new(),
            output,
            limits(self.league, within),
        )
    }

    /// Reads the move that the agent printed for the board it was `shown`.
    fn answer(&self, run: &Run, shown: &Position<6>) -> Result<Move, Violation> {
        if run.stdout.len() > LONGEST_ANSWER {
            let read = format!("more than {LONGEST_ANSWER} bytes on standard output; {}", run.end);
            return Err(Violation { kind: FaultKind::TooLong, read, expected: "a line with a move like D1B3".into() });
        }
        let text = String::from_utf8_lossy(&run.stdout);
        if text.trim().is_empty() {
            let kind = match (is_clean(&run.end), text.is_empty()) {
                (false, _) => FaultKind::Crashed,
                (true, true) => FaultKind::NoAnswer,
                (true, false) => FaultKind::EmptyAnswer,
            };
            let read = format!("{} bytes on standard output; {}{}", run.stdout.len(), run.end, last_words(run));
            return Err(Violation { kind, read, expected: "a move like D1B3".into() });
        }
        let line = match self.format {
            Format::Strict => text.strip_suffix('\n').unwrap_or(&text).to_owned(),
            Format::Lenient => text.trim().lines().next().unwrap_or_default().trim().to_uppercase(),
        };
        read_answer(&format!("{line}\n"), shown).map_err(|error| wrong_move(&line, &error, shown))
    }
}

/// Violation in a line that is not a legal move.
fn wrong_move(line: &str, error: &ParseError, shown: &Position<6>) -> Violation {
    if !is_answer(line) {
        let read = match slip(line) {
            Some(slip) => format!("the answer {slip}: \"{}\"", error.found),
            None => format!("\"{}\" on standard output", error.found),
        };
        return Violation { kind: FaultKind::IllFormed, read, expected: "a line with a move like D1B3".into() };
    }
    let list = shown.legal_moves();
    let legal: Vec<String> = list.iter().map(|&mv| write_answer(mv).trim_end().to_owned()).collect();
    let expected = format!("a legal move: {}", legal.join(", "));
    Violation { kind: FaultKind::Illegal, read: line.to_owned(), expected }
}

/// Describes the mistake that makes an answer invalid, as a phrase to follow "the answer".
fn slip(text: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (Some(line), None) if is_answer(line) => Some("has a blank line before or after it".to_owned()),
        (Some(line), None) => line_slip(line),
        _ => None,
    }
}

impl Player<Position<6>> for RequestPlayer<'_> {
    fn begin(&mut self, _: Color) -> anyhow::Result<()> {
        self.contestant.settle(&mut self.cell, None)
    }

    fn choose(&mut self, ask: &Ask<Position<6>>) -> anyhow::Result<Answer<Move>> {
        let shown = as_x(&ask.history.position());
        let turn = u32::try_from(ask.moves.len() + 1)?;
        let run = self.ask(Request::Move { turn, position: shown }, ask.within)?;
        self.contestant.settle(&mut self.cell, None)?;
        self.cell.prepare(&self.job(ask.within));
        answer_of(&run, self.contestant.agent(), self.league, ask.within, || self.answer(&run, &shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_shown_as_x_and_its_moves_fit_the_real_board() {
        let position = Position::<6>::start();
        let white = position.with_turn(Color::White);
        let shown = as_x(&white);
        assert_eq!(shown.turn(), Color::Black);
        assert_eq!(shown.exchanged(), white);
        assert_eq!(white.legal_moves().to_vec(), shown.legal_moves().to_vec());
    }

    #[test]
    fn slips_in_an_answer_are_described() {
        for (text, named) in [
            ("D1B3\n", Some("has a blank line before or after it")),
            ("\nD1B3", Some("has a blank line before or after it")),
            ("d1b3", Some("has lowercase letters")),
            ("D1B3\nD1B3", None),
            ("move: D1B3", None),
        ] {
            assert_eq!(slip(text).as_deref(), named, "{text:?}");
        }
    }

    #[test]
    fn malformed_and_illegal_answers_are_different_faults() {
        let shown = Position::<6>::start();
        for (line, kind) in [
            ("D1B3", None),
            ("d1b3", Some(FaultKind::IllFormed)),
            ("D1-B3", Some(FaultKind::IllFormed)),
            ("D1D2", Some(FaultKind::Illegal)),
            ("D1B3\nD1B3", Some(FaultKind::IllFormed)),
        ] {
            let read = read_answer(&format!("{line}\n"), &shown);
            assert_eq!(read.err().map(|error| wrong_move(line, &error, &shown).kind), kind, "{line}");
        }
    }
}
