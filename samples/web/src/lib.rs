//! The engine of the page: requests as lines of text, answers as JSON.
//!
//! ```text
//! state checkers                    search loa
//! start W:W21,22,K30:B1,2,11        moves b1-b3 a3-c5
//! moves 21-17                       nodes 100000
//!                                   lines 3
//! ```
//!
//! `start` is the first position of the game, `moves` are its moves so far. A search has limits: `nodes`, `milliseconds`,
//! both or none. With `lines` it reports the scores of several moves.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `request` | what a request asks, and which game it is about |
//! | `engine` | who answers, with which weights and tables |
//! | `answer` | which answers does the page get about a game and a search? |
//! | `edge` | how the page's script calls the engine |

mod answer;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod edge;
mod engine;
mod request;

pub use engine::{Engine, Part};
