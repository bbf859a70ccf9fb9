//! What is a position worth at a glance?
//!
//! An evaluation of each game, in a unit of its own; [`Evaluator`](crate::game::Evaluator) is what the search asks of it.

pub mod checkers;
pub mod loa;
pub mod network;
mod tapered;

pub use tapered::Tapered;
