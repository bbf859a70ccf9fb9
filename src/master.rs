//! The master: runs untrusted agents against each other, judges every move, grades, holds tournaments.
//!
//! Sections (§) are those of the contract that the README sums up.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `league` | by which rules, clocks and customs a game is played |
//! | `record` | what is known of a game when it is over |
//! | `referee` | one game, from the start to the verdict |
//! | `agent` | who plays |
//! | `schedule` | who plays whom |
//! | `store` | what a tournament keeps |
//! | `tournament` | how its games get played |
//! | [`rating`] | how strong agents are by their games, and how sure that is |
//! | `replay`, [`transcript`] | recorded games played again by the rules, and as PDN or SGF |
//! | `sandbox` | how a program that nobody trusts is run, measured and ended |

pub mod agent;
mod league;
pub mod rating;
mod record;
mod referee;
mod replay;
pub mod schedule;
pub mod store;
pub mod tournament;
pub mod transcript;
pub mod sandbox;

pub use agent::Agent;
pub use league::{Allowance, Clock, DrawRule, FaultRule, Format, GameKind, League, Pairing, Protocol};
pub use record::{Draw, Fault, FaultKind, GameRecord, Played, Reason, Spent, Turn, Verdict};
pub use referee::{Answer, Ask, End, Player, Setup, Unwatched, Watcher, Wrong, referee};
