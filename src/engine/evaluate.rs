//! Static evaluations for each game.
//!
//! Each evaluation has its own unit and implements [`Evaluator`](crate::game::Evaluator), the interface to the search.

pub mod checkers;
pub mod loa;
pub mod network;
pub mod solver;
