//! Do the moves and clocks of a recorded game bear out its verdict?
//!
//! A record comes from another machine, or from a file that somebody may have changed: it is played again by the rules,
//! and what it says is compared with what the moves say.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `moves` | is every move legal, in turn, and is the game over when it ends |
//! | `clocks` | is what each side has left its time less what its turns took |

mod clocks;
mod moves;
#[cfg(test)]
mod tests;

use std::fmt;

use super::league::{GameKind, League};
use super::record::{EndReason, GameRecord, GameVerdict};
use crate::{checkers, loa};

/// What the moves of a recorded game say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// The verdict by the moves; `None`: they cannot be played, or the game does not end with them.
    pub verdict: Option<GameVerdict>,
    /// Where the record contradicts them; none: all is well.
    pub contradictions: Vec<Contradiction>,
}

/// A place where a record contradicts its own moves, the rules or its league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Where: `turn 14`, `the verdict`.
    pub place: String,
    /// What is recorded.
    pub read: String,
    /// What it should be, by the moves before, the rules or the league.
    pub expected: String,
}

/// Plays a recorded game again by the rules of the game and its league. What was drawn at random, the opening and the
/// referee's own moves, must be legal, but may be anything.
///
/// A game that failed has nothing to contradict: it counts for nobody, and is played again.
pub fn audit(record: &GameRecord, league: &League) -> Audit {
    let verdict = Some(record.verdict.clone());
    if matches!(record.verdict.reason, EndReason::Failed { .. }) {
        return Audit { verdict, contradictions: Vec::new() };
    }
    if record.game != league.game {
        let wrong = Contradiction::new("the game", record.game, league.game);
        return Audit { verdict: None, contradictions: vec![wrong] };
    }
    let (verdict, mut contradictions) = match league.game {
        GameKind::Checkers => moves::audit::<checkers::Position>(record, league),
        GameKind::Loa => moves::audit::<loa::Position<8>>(record, league),
        GameKind::Loa6 => moves::audit::<loa::Position<6>>(record, league),
    };
    contradictions.extend(clocks::audit(record, &league.clock));
    Audit { verdict, contradictions }
}

impl Contradiction {
    pub(super) fn new(place: impl Into<String>, read: impl fmt::Display, expected: impl fmt::Display) -> Contradiction {
        Contradiction { place: place.into(), read: read.to_string(), expected: expected.to_string() }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { place, read, expected } = self;
        write!(f, "{place}: found {read}, expected {expected}")
    }
}
