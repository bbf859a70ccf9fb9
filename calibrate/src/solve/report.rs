//! Results of proofs, in words.

use std::fmt;
use std::time::Duration;

use kingline_players::terminal::in_thousands;

/// Proved result of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move wins in at most this many plies.
    Won(u16),
    /// The side to move loses in at most this many plies.
    Lost(u16),
    /// The side to move does not win: the other side can at least go on without end.
    NotWon,
    /// The side to move does not lose: it can at least go on without end.
    NotLost,
    /// Neither side wins: both can go on without end.
    Neither,
}

/// A verdict, and its cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report<G> {
    pub(super) start: G,
    pub(super) verdict: Verdict,
    pub(super) lost_positions: usize,
    pub(super) cpu: Duration,
}

impl<G> Report<G> {
    /// Describes the verdict and its cost.
    pub(super) fn in_words(&self) -> String {
        let (known, cpu) = (in_thousands(self.lost_positions as u64), self.cpu.as_secs_f64());
        format!("{}; {cpu:.0} s of CPU time, {known} lost positions known", self.verdict)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Won(plies) => write!(f, "the side to move wins, in at most {plies} plies"),
            Verdict::Lost(plies) => write!(f, "the side to move loses, in at most {plies} plies"),
            Verdict::NotWon => {
                write!(f, "the side to move does not win: the other side can at least go on without end")
            }
            Verdict::NotLost => write!(f, "the side to move does not lose: it can at least go on without end"),
            Verdict::Neither => write!(f, "neither side wins: both can go on without end"),
        }
    }
}

impl<G: fmt::Display> fmt::Display for Report<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.start, self.in_words())
    }
}
