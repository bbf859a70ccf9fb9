//! How is a game shown while it is played?

use std::io::Write;
use std::time::Duration;

use super::screen::Screen;
use crate::draw::{Board, Paint, painted};
use crate::game::Color;
use crate::master::clock_rules::ClockRules;
use crate::master::record::{ChosenBy, GameRecord, Turn};
use crate::master::referee::GameObserver;
use crate::master::written::Written;
use crate::terminal::stdout_line;

/// How a game is shown while it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// The board, redrawn in place after each turn.
    Board(Paint),
    /// A line per turn.
    Lines,
    /// Nothing.
    Nothing,
}

/// Shows a game as it is played.
#[derive(Debug)]
pub(super) struct Live {
    show: Show,
    names: [String; 2],
    /// As which times are shown.
    clock: ClockRules,
    /// Turns seen.
    turns: u32,
    /// What each side had left after its last move.
    left: [Option<Duration>; 2],
    /// Lines on the screen that the next drawing replaces.
    drawn: usize,
}

impl Live {
    pub(super) fn new(show: Show, names: [String; 2], clock: &ClockRules, left: [Option<Duration>; 2]) -> Live {
        let clock = clock.clone();
        Live { show, names, clock, turns: 0, left, drawn: 0 }
    }

    /// A line about a turn that began with this position.
    fn line<B: Written>(&self, before: &B, turn: &Turn) -> String {
        let legal = turn.mv.as_ref().and_then(|mv| before.parse_move(mv).ok());
        let mv = legal.map_or("-".to_owned(), |mv| before.with_record(mv));
        let by = if turn.chosen_by == ChosenBy::Referee { " (at random)" } else { "" };
        let left = turn.left.map_or(String::new(), |left| format!(", {} s left", self.clock.seconds(left)));
        let [cpu, wall] = [turn.spent.cpu, turn.spent.wall].map(|time| self.clock.seconds(time));
        let mut text = format!("{:>4}. {} {mv}{by}  {cpu} s CPU, {wall} s wall{left}", self.turns, turn.side);
        let faults = turn.fault.iter().map(ToString::to_string);
        for note in faults.chain(turn.notes.iter().cloned()) {
            text += &format!("\n      {note}");
        }
        text
    }

    /// The board with a line for each side, drawn over the last one.
    fn redraw<B: Board>(&mut self, position: &B, paint: Paint, line: &str) -> String {
        let mut text = if self.drawn > 0 { format!("\u{1b}[{}A\u{1b}[J", self.drawn) } else { String::new() };
        let mut body = painted(position, paint);
        for side in [Color::White, Color::Black] {
            let left =
                self.left[side.index()].map_or(String::new(), |left| self.clock.seconds(left).to_string() + " s");
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
        // stdout may be closed: the game goes on.
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

/// How to show games here.
pub(super) fn usual() -> Show {
    let screen = Screen::here();
    if screen.is_live { Show::Board(screen.paint) } else { Show::Lines }
}

/// One line about a game that is over.
pub(super) fn summary(record: &GameRecord, clock: &ClockRules) -> String {
    let [black, white] = &record.names;
    let left = |side: usize| record.left[side].map_or(String::new(), |left| format!(" {} s left", clock.seconds(left)));
    format!(
        "Black {black}{}, White {white}{}, {} turns: {}",
        left(0),
        left(1),
        record.turns.len() + record.opening.len(),
        record.verdict_in_words()
    )
}
