//! Schedules: who plays whom, how often, and from which opening. Pure functions of the rules, the entrants' names and
//! the results so far.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `games` | what is a planned game? |
//! | `pairing` | how do two agents play both sides of an opening? |
//! | `round_robin` | in which order does every pair meet? |
//! | `elimination` | who meets whom in a round, and who is out after it (§3)? |

mod elimination;
mod games;
mod pairing;
mod round_robin;
#[cfg(test)]
mod tests;

pub(super) use elimination::is_out;
pub use games::{GameKey, GameStatus, PlannedGame, Schedule, TournamentRules};

use crate::league::Pairing;

/// Returns all games of the tournament, as far as `result` determines them. With elimination, the last round is the
/// first one with a missing or failed game.
///
/// Names must be unique. The order of the entrants affects only the indexes, not who plays whom.
pub fn schedule(rules: &TournamentRules, names: &[&str], result: impl Fn(&PlannedGame) -> GameStatus) -> Schedule {
    match rules.pairing {
        Pairing::RoundRobin => round_robin::schedule(rules, names),
        Pairing::Elimination => elimination::schedule(rules, names, &result),
    }
}
