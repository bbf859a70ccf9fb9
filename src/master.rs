//! The master: runs untrusted agents against each other, judges every move, grades, holds tournaments.
//!
//! Sections (§) are those of the contract that the README sums up.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `league` | by which rules, clocks and customs a game is played |
//! | `record` | what is known of a game when it is over |
//! | `referee` | one game, from the start to the verdict |

mod league;
mod record;
mod referee;

pub use league::{Allowance, Clock, DrawRule, FaultRule, Format, GameKind, League, Pairing, Protocol};
pub use record::{Draw, Fault, FaultKind, GameRecord, Played, Reason, Spent, Turn, Verdict};
pub use referee::{Answer, Ask, End, Player, Setup, Unwatched, Watcher, Wrong, referee};
