//! Progress of a run: work done, its cost, and an estimate of the rest.

use std::fmt::Display;
use std::time::Duration;

use kingline::clock::Clock;
use kingline_players::progress::Status;
use kingline_players::terminal::{duration, in_thousands};

use super::store::Store;

/// Smallest number of positions that an estimate needs.
const SAMPLE: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Standing {
    OfWin {
        /// Number of positions that are neither proved nor given up.
        open: usize,
        /// Number of proved positions, with the winner to move.
        won: usize,
        /// Proved share of the start's proof, 0 to 1, assuming that all replies to a position are equally hard.
        share: f64,
    },
    OfHold {
        /// Number of leaves that the opponent can reach against the best moves of the claimant.
        open: usize,
        /// Number of decided positions.
        decided: usize,
        /// Line of play to the hardest leaf.
        line: String,
        /// Its score for the claimant with the relief, in hundredths of the evaluation's unit.
        score: i32,
    },
}

impl Standing {
    /// Proved share of a win, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        match *self {
            Standing::OfWin { share, .. } => share,
            Standing::OfHold { .. } => 0.0,
        }
    }

    /// Describes the progress of the proof of this position.
    pub(super) fn in_words(&self, which: &str) -> String {
        let thousands = |count: usize| in_thousands(count as u64);
        match self {
            Standing::OfWin { open, won, share } => {
                // Rounded down: 100 % would be a proof.
                let percent = (1000.0 * share).floor() / 10.0;
                format!("{percent:.1} % of {which}: {} won, {} open", thousands(*won), thousands(*open))
            }
            Standing::OfHold { open, decided, line, score } => {
                let [open, decided, score] =
                    [thousands(*open), thousands(*decided), format!("{:.2}", f64::from(*score) / 100.0)];
                format!("{which}: {decided} positions decided, {open} open, the hardest scored {score} after {line}")
            }
        }
    }
}

/// Progress of a run that proves one position after another.
pub(super) struct Notes {
    status: Status,
    /// Number of positions to prove.
    total: usize,
    done: usize,
    /// Number of these that earlier runs had proved.
    earlier: usize,
    /// Lost positions known when the run began.
    known: usize,
    nodes: u64,
    /// Line of play that a plan is working on: each move, and for a reply the number of hard ones left.
    line: Vec<(String, Option<usize>)>,
    /// CPU time of the process when the run began.
    began: Duration,
    /// CPU time of the run when the last position was done.
    spent: Duration,
}

impl Notes {
    /// Returns notes on a run that has `total` positions to prove. Where standard error is no terminal, there is a line
    /// every so often.
    pub(super) fn new(store: &Store, total: usize, every: Duration) -> Notes {
        let (status, known, began) = (Status::logged(every), store.lost_positions(), Clock::Process.now());
        Notes { status, total, done: 0, earlier: 0, known, nodes: 0, line: Vec::new(), began, spent: Duration::ZERO }
    }

    /// Counts nodes of the solver and of searches.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Adds a move to the line that is being worked on; if it is a reply, with the number of hard ones left.
    pub(super) fn enter(&mut self, mv: impl Display, left: Option<usize>) {
        self.line.push((mv.to_string(), left));
    }

    /// Removes the last move of the line.
    pub(super) fn leave(&mut self) {
        self.line.pop();
    }

    /// Counts a position as done.
    pub(super) fn step(&mut self, store: &Store) {
        self.done += 1;
        self.spent = self.cpu();
        if self.total > 1 {
            let text = self.text(store, None);
            self.status.note(&text);
        }
    }

    /// Counts a position that an earlier run has proved.
    pub(super) fn skip(&mut self) {
        self.done += 1;
        self.earlier += 1;
    }

    /// Shows the progress, unless the last time is too recent.
    pub(super) fn show(&mut self, store: &Store, standing: impl FnOnce() -> Option<Standing>) {
        if self.status.is_due() {
            let text = self.text(store, standing());
            self.status.show(|| text);
        }
    }

    fn cpu(&self) -> Duration {
        Clock::Process.now().saturating_sub(self.began)
    }

    fn text(&self, store: &Store, standing: Option<Standing>) -> String {
        let mut parts = Vec::new();
        if self.total > 1 {
            parts.push(format!("{} of {} positions proved", self.done, self.total));
        }
        if !self.line.is_empty() {
            let moves: Vec<&str> = self.line.iter().map(|(mv, _)| mv.as_str()).collect();
            let left: Vec<String> = self.line.iter().filter_map(|(_, left)| Some(left.as_ref()?.to_string())).collect();
            let left = if left.is_empty() { String::new() } else { format!(", hard replies left {}", left.join(" ")) };
            parts.push(format!("line {}{left}", moves.join(" ")));
        }
        if let Some(standing) = standing {
            let which = if self.total > 1 || !self.line.is_empty() { "the next" } else { "the start" };
            parts.push(standing.in_words(which));
        }
        let lost = store.lost_positions();
        let [lost, new] = [lost, lost.saturating_sub(self.known)].map(|count| in_thousands(count as u64));
        parts.push(format!("{lost} lost positions known, {new} of them new"));
        parts.push(format!("{} nodes, {} of CPU time", in_thousands(self.nodes), duration(self.cpu().as_secs_f64())));
        parts.extend(self.left().map(|left| format!("about {} left if the others cost the same", duration(left))));
        parts.join("; ")
    }

    /// Estimates the CPU seconds left, from the positions that this run has proved; `None` if they are too few.
    fn left(&self) -> Option<f64> {
        let new = self.done - self.earlier;
        let left = self.total - self.done;
        (new >= SAMPLE && left > 0).then(|| self.spent.as_secs_f64() / new as f64 * left as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingline::loa::Position;

    #[test]
    fn an_estimate_needs_a_sample_of_this_run() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open::<Position<6>>(&folder.path().join("store")).unwrap();
        let mut notes = Notes::new(&store, 9, Duration::from_secs(60));
        notes.skip();
        notes.skip();
        for _ in 0..3 {
            assert_eq!(notes.left(), None);
            notes.step(&store);
        }
        notes.spent = Duration::from_secs(30);
        assert_eq!(notes.left(), Some(40.0));
        notes.count(12_345);
        let text = notes.text(&store, Some(Standing::OfWin { open: 7, won: 1234, share: 0.5 }));
        assert!(text.starts_with("5 of 9 positions proved; 50.0 % of the next: 1,234 won, 7 open; 0 lost "), "{text}");
        assert!(text.contains("; 12,345 nodes, ") && text.ends_with("; about 40 s left if the others cost the same"));
        let text = notes.text(&store, Some(Standing::OfWin { open: 1, won: 1, share: 0.9999 }));
        assert!(text.contains("; 99.9 % of the next: "), "{text}");
        notes.enter("b1-b3", None);
        notes.enter("a2-c2", Some(4));
        assert!(notes.text(&store, None).contains("; line b1-b3 a2-c2, hard replies left 4; 0 lost "));
        notes.leave();
        notes.leave();
        for _ in 0..4 {
            notes.skip();
        }
        assert_eq!(notes.left(), None);
    }
}
