//! Replays of recorded games: do the moves and clocks bear out the verdict?
//!
//! A record may come from another machine or from an altered file. The audit replays its moves under the rules and
//! compares the outcome with the recorded one.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `moves` | is every move legal and in turn, and does the game end where the rules end it? |
//! | `clocks` | do the remaining times match the time that each turn took? |
//! | `contradiction` | how is a mismatch described? |

mod clocks;
mod contradiction;
mod moves;
#[cfg(test)]
mod tests;

pub use contradiction::Contradiction;

use crate::league::League;
use crate::record::{EndReason, GameRecord, GameVerdict};
use kingline::{checkers, loa};
use kingline_players::game_name::GameName;

/// Outcome of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Verdict that the moves lead to; `None` if they cannot be played or do not end the game.
    pub verdict: Option<GameVerdict>,
    /// Everything in the record that contradicts its moves; empty if the record is sound.
    pub contradictions: Vec<Contradiction>,
}

/// Replays a recorded game under the rules of the game and its league. Random moves, in the opening or by the referee,
/// may be any legal moves.
///
/// A failed game cannot contradict itself: it counts for neither side and is played again.
pub fn audit(record: &GameRecord, league: &League) -> Audit {
    let verdict = Some(record.verdict.clone());
    if matches!(record.verdict.reason, EndReason::Failed(_)) {
        return Audit { verdict, contradictions: Vec::new() };
    }
    if record.game != league.game {
        let wrong = Contradiction::new("the game", record.game, league.game);
        return Audit { verdict: None, contradictions: vec![wrong] };
    }
    let (verdict, mut contradictions) = match league.game {
        GameName::Checkers => moves::audit::<checkers::Position>(record, league),
        GameName::Loa => moves::audit::<loa::Position<8>>(record, league),
        GameName::Loa6 => moves::audit::<loa::Position<6>>(record, league),
    };
    contradictions.extend(clocks::audit(record, &league.clock));
    Audit { verdict, contradictions }
}
