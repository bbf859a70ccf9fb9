//! Endgame tables of American checkers that know the 50-turn rule.
mod board;
pub mod build;
mod index;
mod material;
mod turns;
mod value;

pub use material::Material;
pub use value::{Exact, LONGEST, Outcome};
