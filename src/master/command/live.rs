//! Live display of a game in progress.

use std::io::Write;
use std::time::Duration;

use crate::league::clock_rules::ClockRules;
use crate::record::{ChosenBy, GameRecord, Turn, Written};
use crate::referee::GameObserver;
use kingline::draw::{Board, Paint, painted};
use kingline::game::Color;
use kingline_players::terminal::{Screen, escaped, stdout_line};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The board, redrawn in place after each turn.
    Board(Paint),
    Lines,
    Nothing,
}

#[derive(Debug)]
pub(super) struct Live {
    show: Show,
    /// Safe for a terminal.
    names: [String; 2],
    clock: ClockRules,
    turns: u32,
    /// Time left to each side after its last move.
    left: [Option<Duration>; 2],
    /// Number of lines that the next drawing replaces.
    drawn: usize,
}

impl Live {
    pub(super) fn new(show: Show, names: [String; 2], clock: &ClockRules, left: [Option<Duration>; 2]) -> Live {
        let (clock, names) = (clock.clone(), names.map(|name| escaped(&name)));
        Live { show, names, clock, turns: 0, left, drawn: 0 }
    }

    /// Formats a line about a turn that started from the position `before`.
    fn line<B: Written>(&self, before: &B, turn: &Turn) -> String {
        let legal = turn.mv.as_ref().and_then(|mv| before.parse_move(mv).ok());
        let mv = legal.map_or("-".to_owned(), |mv| before.with_record(mv));
        let by = if turn.chosen_by == ChosenBy::Referee { " (at random)" } else { "" };
        let left = turn.left.map_or(String::new(), |left| format!(", {} s left", self.clock.seconds(left)));
        let [cpu, wall] = [turn.spent.cpu, turn.spent.wall].map(|time| self.clock.seconds(time));
        let mut text = format!("{:>4}. {} {mv}{by}  {cpu} s CPU, {wall} s wall{left}", self.turns, turn.side);
        let faults = turn.fault.iter().map(ToString::to_string);
        for note in faults.chain(turn.notes.iter().cloned()) {
            text += &format!("\n      {}", escaped(&note));
        }
        text
    }

    /// Returns the board with a line for each side, to be drawn over the last one.
    fn redraw<B: Board>(&mut self, position: &B, paint: Paint, line: &str) -> String {
        let mut text = if self.drawn > 0 { format!("\u{1b}[{}A\u{1b}[J", self.drawn) } else { String::new() };
        let mut body = painted(position, paint);
        for side in [Color::White, Color::Black] {
            let left = self.left[side.index()].map_or(String::new(), |left| self.clock.seconds(left) + " s");
            body += &format!("  {side:5} {:24}{left:>12}\n", self.names[side.index()]);
        }
        body += line;
        body.push('\n');
        self.drawn = body.lines().count();
        text += &body;
        text
    }
}

impl<B: Written> GameObserver<B> for Live {
    fn turned(&mut self, before: &B, after: &B, turn: &Turn) {
        self.turns += 1;
        self.left[turn.side.index()] = turn.left;
        let line = self.line(before, turn);
        // The game goes on even if stdout is closed.
        let _ = match self.show {
            Show::Nothing => Ok(()),
            Show::Lines => stdout_line(line),
            Show::Board(paint) => {
                let text = self.redraw(after, paint, &line);
                let mut screen = std::io::stdout();
                screen.write_all(text.as_bytes()).and_then(|()| screen.flush()).map_err(Into::into)
            }
        };
    }
}

/// Returns the kind of display that suits standard output.
pub(super) fn for_stdout() -> Show {
    let screen = Screen::of_stdout();
    if screen.is_live { Show::Board(screen.paint) } else { Show::Lines }
}

/// Formats one line about a finished game, safe for a terminal.
pub(super) fn summary(record: &GameRecord, clock: &ClockRules) -> String {
    let [black, white] = record.names.each_ref().map(|name| escaped(name));
    let left = |side: usize| record.left[side].map_or(String::new(), |left| format!(" {} s left", clock.seconds(left)));
    format!(
        "Black {black}{}, White {white}{}, {} turns: {}",
        left(0),
        left(1),
        record.turns.len() + record.opening.len(),
        escaped(&record.verdict_in_words())
    )
}
