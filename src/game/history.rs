use super::{Color, Game, Outcome, Progress};

/// A game in progress: the positions that can still matter, oldest first, the current one last.
///
/// A zeroing move makes all earlier positions unreachable and the count of quiet turns zero, so
/// that count is always the number of earlier positions held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<G> {
    positions: Vec<G>,
}

/// How a game ended by the rules, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side won.
    Win(Color),
    /// Nobody won, for this reason.
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The position has been on the board too often.
    Repetition,
    /// Too many quiet turns in a row.
    QuietTurns,
    /// The position itself is drawn.
    Position,
}

impl Ending {
    /// The result, the reason apart.
    pub const fn outcome(self) -> Outcome {
        match self {
            Ending::Win(winner) => Outcome::Win(winner),
            Ending::Draw(_) => Outcome::Draw,
        }
    }
}

impl<G: Game> History<G> {
    /// A game that starts, as far as is known, with `position`.
    pub fn new(position: G) -> History<G> {
        History { positions: vec![position] }
    }

    /// The position on the board.
    pub fn position(&self) -> G {
        self.positions[self.positions.len() - 1]
    }

    /// The positions since the last zeroing move, the current one last; never empty.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// Quiet turns in a row up to the current position.
    pub fn quiet_turns(&self) -> u16 {
        u16::try_from(self.positions.len() - 1).unwrap_or(u16::MAX)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let position = self.position();
        if position.progress(mv) == Progress::Zeroing {
            self.positions.clear();
        }
        self.positions.push(position.play(mv));
    }

    /// How often the current position has been on the board, this time included.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        self.positions.iter().filter(|&&earlier| earlier == now).count()
    }

    /// Whether the game is over, and how. A side without a move has lost before any draw is
    /// looked for.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.position().ending() {
            return Some(ending);
        }
        if G::QUIET_LIMIT.is_some_and(|limit| self.quiet_turns() >= limit) {
            Some(Ending::Draw(DrawReason::QuietTurns))
        } else if G::REPETITION_LIMIT.is_some_and(|limit| self.occurrences() >= usize::from(limit)) {
            Some(Ending::Draw(DrawReason::Repetition))
        } else {
            None
        }
    }
}

impl<G: Game> From<G> for History<G> {
    /// A game that starts, as far as is known, with this position.
    fn from(position: G) -> History<G> {
        History::new(position)
    }
}

impl<G: Game> From<&History<G>> for History<G> {
    fn from(history: &History<G>) -> History<G> {
        history.clone()
    }
}
