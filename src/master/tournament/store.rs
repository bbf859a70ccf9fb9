//! A tournament's store: one SQLite file with its rules, its agents and all games that were played.
//!
//! Nothing is ever deleted. An agent is identified by its name and the hash of its files, so a changed agent is a new
//! one with the same name. The old agent's games stay, and count again if its files come back. Which games count is
//! computed on request from the rules and the agents that take part.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `games` | what does a store return? |
//! | `read` | what can be read from a store? |
//! | `write` | how is a store created, and how do games get into it? |
//! | `schema` | what are the tables, and is a file a store of this version? |
//! | `rows` | how is a game stored as rows, and read back? |
//! | `earlier` | which earlier rounds did a store begin with, and how does the next round begin? |
//! | `checksum` | has a game changed since it was recorded? |
//! | `error` | what can go wrong? |

mod checksum;
mod earlier;
mod error;
mod games;
mod read;
mod rows;
mod schema;
#[cfg(test)]
mod tests;
mod write;

pub use earlier::{EarlierRound, NextRound};
pub use error::StoreError;
pub use games::{GameId, Part, StoredAgent, Summary, TournamentState};
pub use read::Store;
pub use write::{Changes, StoreWriter};
