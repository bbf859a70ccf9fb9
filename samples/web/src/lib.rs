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
//! | `request` | what a request asks |
//! | `played` | which game it is about |
//! | `state` | what the page shows of the game |
//! | `found` | what a search has found |
//! | `engine` | who answers, with which weights and tables |
//! | `json` | how JSON is written |
//! | `edge` | how the page's script calls the engine |

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod edge;
mod engine;
mod found;
mod json;
mod played;
mod request;
mod state;

pub use engine::{Engine, Part};
