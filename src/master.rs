//! The master: runs untrusted agents against each other, judges every move, grades, holds tournaments.
//!
//! Sections (§) are those of the contract that the README sums up.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `league` | by which rules, clocks and customs a game is played |
//! | `record` | what is known of a game when it is over |
//! | `agent` | who plays |
//! | `schedule` | who plays whom |
//! | `store` | what a tournament keeps |
//! | `tournament` | how its games get played |

pub mod agent;
mod league;
mod record;
pub mod schedule;
pub mod store;
pub mod tournament;

pub use agent::Agent;
pub use league::{Allowance, Clock, DrawRule, FaultRule, Format, GameKind, League, Pairing, Protocol};
pub use record::{Draw, Fault, FaultKind, GameRecord, Played, Reason, Spent, Turn, Verdict};
