//! A review as text, for people.

use std::fmt::{self, Write as _};

use super::mark::Mark;
use super::player::MarkCounts;
use super::puzzles::Puzzle;
use super::reviewed::Review;
use super::words;
use kingline::draw;
use kingline::game::Color;

/// Width of the column of moves.
const MOVE_COLUMNS: usize = 14;

impl fmt::Display for Review {
    /// Writes the moves with marks and Black's winning chances, a comment on each fault, the turning point with its
    /// board, and a table of both sides.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", words::title(self))?;
        writeln!(f, "      {:MOVE_COLUMNS$}Black", "")?;
        let chances = self.chances_of_black();
        for (index, mv) in self.moves.iter().enumerate() {
            let is_numbered = index == 0 || mv.side == Color::Black;
            let number = if is_numbered { self.number(index) } else { String::new() };
            let played = format!("{}{}", mv.mv, mv.mark.map_or("", Mark::sign));
            writeln!(f, "{number:<6}{played:MOVE_COLUMNS$}{}", of_black(self, index, chances[index + 1]))?;
            if mv.mark.is_some_and(Mark::is_fault) {
                writeln!(f, "      {}", words::judgment(mv))?;
            }
            for (name, line) in ["better", "now"].into_iter().zip(words::lines(mv)) {
                if !line.is_empty() {
                    writeln!(f, "      {name:7}{}", line.join(" "))?;
                }
            }
        }
        if let Some(broken) = &self.broken {
            writeln!(f, "\nThe record ends here: {broken}")?;
        }
        if let (Some(sentence), Some(index)) = (words::turning_point(self), self.turning_point) {
            let board = draw::plain_compact(&self.moves[index].board, self.game.style());
            writeln!(f, "\nTurning point: {sentence}\n\n{}", board.trim_end_matches('\n'))?;
        }
        f.write_char('\n')?;
        writeln!(f, "{:12}{:>10}{:>10}", "", "Black", "White")?;
        let [black, white] = self.accuracy.map(words::accuracy);
        writeln!(f, "{:12}{black:>10}{white:>10}", "accuracy")?;
        let [black, white] = Color::ALL.map(|side| MarkCounts::of(self, side).numbers());
        for ((name, black), white) in ["inaccuracies", "mistakes", "blunders"].into_iter().zip(black).zip(white) {
            writeln!(f, "{name:12}{black:>10}{white:>10}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Puzzle {
    /// Writes the task, the board and the answer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = draw::plain_compact(&self.board, self.game.style());
        writeln!(f, "{}\n\n{board}\n{}", self.task(), self.answer())
    }
}

/// Black's prospects after a move: chances, or certain knowledge.
fn of_black(review: &Review, index: usize, chances: f64) -> String {
    let mv = &review.moves[index];
    match mv.after.exact {
        Some(_) if mv.side == Color::Black => mv.after.to_string(),
        Some(_) => mv.after.for_opponent().to_string(),
        None => format!("{:.0} %", chances * 100.0),
    }
}
