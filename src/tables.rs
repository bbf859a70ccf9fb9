//! Endgame tables of American checkers that know the 50-turn rule.
mod board;
pub mod build;
mod checksum;
mod choose;
mod distance;
mod embedded;
mod file;
mod index;
mod material;
mod prober;
mod section;
mod side;
#[cfg(test)]
mod solved;
mod stored;
mod turns;
mod value;

pub use choose::Choice;
pub use embedded::embedded;
pub use file::{File, TableError, Trust};
pub use material::Material;
pub use prober::{ProbeError, Prober};
pub use side::SideFile;
pub use value::{Exact, LONGEST, Wld};
