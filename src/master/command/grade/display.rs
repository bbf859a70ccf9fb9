//! Output of `master grade`: progress, marks, and the total.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::super::screen::{paint, progress_bar};
use crate::exam::{Exam, ExamPart, Grade, Mark};
use kingline_players::progress::{self, mean, time_left};
use kingline_players::terminal::{escaped, escaped_lines, stdout_drawing};

pub(super) struct Progress {
    pub(super) bar: progress::Progress,
    /// Number of marks for answers that the store already has; these come first.
    known: usize,
    pace: Pace,
    /// Numbers of the first marks with each explanation, by part.
    explained: BTreeMap<(ExamPart, String), usize>,
}

/// Speed at which the questions of each part are answered.
struct Pace {
    parts: [PartPace; ExamPart::ALL.len()],
    /// When the first question of this run was asked.
    began: Option<Instant>,
    /// Time that the agents took for the questions of this run.
    taken: Duration,
}

#[derive(Clone, Copy)]
struct PartPace {
    left: usize,
    done: u64,
    /// Time that the agents took for those that are done.
    taken: Duration,
}

impl Progress {
    pub(super) fn new(exam: &Exam, agents: usize, known: usize) -> Progress {
        let template = "{spinner} {pos} of {len} moves and games, {elapsed}{prefix}: {wide_msg}";
        let bar = progress_bar((agents * exam.steps()) as u64, template);
        let parts = ExamPart::ALL.map(|part| agents * exam.steps_of(part));
        let parts = parts.map(|left| PartPace { left, done: 0, taken: Duration::ZERO });
        let pace = Pace { parts, began: None, taken: Duration::ZERO };
        Progress { bar, known, pace, explained: BTreeMap::new() }
    }

    pub(super) fn advance(&mut self, mark: &Mark) {
        let is_known = (self.bar.position() as usize) < self.known;
        self.bar.inc(1);
        let now = Instant::now();
        self.pace.add(mark.part, taken(mark), (!is_known).then_some(now));
        self.bar.set_prefix(time_left(self.pace.seconds_left(now)));
    }

    /// Prints a mark; an explanation only once.
    pub(super) fn show(&mut self, mark: &Mark) {
        let number = mark.explanation().map(|why| *self.explained.entry((mark.part, why)).or_insert(mark.number));
        let same_as = number.filter(|&number| number != mark.number);
        // A closed stdout becomes an error once everything is done.
        let _ = self.bar.suspend(|| stdout_drawing(mark_text(mark, same_as)));
    }
}

/// Wall time of the turns of a question, the opponent's included.
fn taken(mark: &Mark) -> Duration {
    let turns = mark.records.iter().flat_map(|record| &record.turns);
    let of_games: Duration = turns.map(|turn| turn.spent.wall).sum();
    if mark.records.is_empty() { mark.spent.wall } else { of_games }
}

impl Pace {
    /// Counts a question; `now` is given if it was answered in this run.
    fn add(&mut self, part: ExamPart, taken: Duration, now: Option<Instant>) {
        let of_part = &mut self.parts[part as usize];
        (of_part.left, of_part.done) = (of_part.left.saturating_sub(1), of_part.done + 1);
        of_part.taken += taken;
        if let Some(now) = now {
            self.began.get_or_insert_with(|| now.checked_sub(taken).unwrap_or(now));
            self.taken += taken;
        }
    }

    /// Seconds until all is done, if the questions of each part that are left take as long as those that are done, and as
    /// many run at once. `None` if a part has only begun.
    fn seconds_left(&self, now: Instant) -> Option<f64> {
        let elapsed = (now - self.began?).as_secs_f64();
        let open = self.parts.iter().filter(|part| part.left > 0);
        let left = open.map(|part| Some(mean(part.taken, part.done)? * part.left as f64)).sum::<Option<f64>>()?;
        let taken = self.taken.as_secs_f64();
        (taken > 0.0).then(|| elapsed * left / taken)
    }
}

/// A line about a mark, with an explanation of lost points unless the mark with another number has the same.
pub(super) fn mark_text(mark: &Mark, same_as: Option<usize>) -> String {
    let part = mark.part.word();
    let (points, cpu) = (format!("{}/{}", mark.points, mark.of), mark.spent.cpu.as_secs_f64());
    let [title, result] = [&mark.title, &mark.result].map(|text| escaped(text));
    let mut text = format!("{part} {:2}  {title:16} {points:>5}  {result}; {cpu:.3} s CPU time", mark.number);
    let mut add = |lines: &str| lines.lines().for_each(|line| text += &format!("\n    {line}"));
    if let Some(number) = same_as {
        add(&format!("the same as in {part} {number}"));
        return text;
    }
    mark.notes.iter().for_each(|note| add(&format!("note: {}", escaped_lines(note))));
    mark.lost.iter().for_each(|lost| add(&lost.in_words(paint())));
    text
}

pub(super) fn total(grade: &Grade) -> String {
    let so_far = if grade.is_finished { "" } else { "not finished, so far " };
    let [moves, games, thresholds] = ExamPart::ALL.map(|part| grade.points_of(part));
    let parts = match grade.has_thresholds() {
        false => format!("{moves} for single moves and {games} for games"),
        true => format!("{moves} for single moves, {games} for games and {thresholds} for thresholds"),
    };
    format!("{}: {so_far}{} of {} points, {parts}", escaped(&grade.agent), grade.points, grade.of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_moves_say_nothing_about_long_games() {
        let secs = Duration::from_secs;
        let start = Instant::now();
        let part = |left| PartPace { left, done: 0, taken: Duration::ZERO };
        let mut pace = Pace { parts: [part(4), part(3), part(0)], began: None, taken: Duration::ZERO };
        // (part, seconds that the question took, seconds after the start if asked in this run, seconds left)
        for (part, taken, at, left) in [
            (ExamPart::Move, 1, None, None),
            (ExamPart::Move, 1, Some(1), None),
            (ExamPart::Move, 1, Some(2), None),
            // 102 seconds of turns took 52: two run at a time. One move and two games are left.
            (ExamPart::Game, 100, Some(52), Some(52.0 * 201.0 / 102.0)),
            (ExamPart::Move, 1, Some(53), Some(53.0 * 200.0 / 103.0)),
            (ExamPart::Game, 100, Some(103), Some(103.0 * 100.0 / 203.0)),
            (ExamPart::Game, 100, Some(153), Some(0.0)),
        ] {
            let now = start + secs(at.unwrap_or_default());
            pace.add(part, secs(taken), at.map(|_| now));
            assert_eq!(pace.seconds_left(now), left, "{part:?} at {at:?}");
        }
    }
}
