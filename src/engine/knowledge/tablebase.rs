//! Endgame tables of checkers positions with few pieces, under the 50-turn rule (§1).
//!
//! For every such position the tables store the outcome with no quiet turn before it, and the distance to the next
//! zeroing turn: a capture, a crowning or the end of the game, which resets the count of quiet turns. The outcome is
//! exact: a position is won if the side to move can force a zeroing turn within 50 plies into another won position.
//! The distance is stored as a span of about eight plies, and a short search makes it exact. The exact distance gives
//! the outcome at any count. The tables store nothing for positions in which the side to move must jump: probes play
//! the jumps out. Repetition cannot undo a win, because every turn of the winner brings the next zeroing turn nearer.
//!
//! The feature `tables` embeds the tables for up to five pieces, at most three a side, and for four pieces against one.
//! A file of a program may add others. Callers need not know which table answers:
//!
//! ```
//! # #[cfg(feature = "tables")] {
//! use kingline::checkers::Position;
//! use kingline::evaluate::checkers::Evaluation;
//! use kingline::game::{Game, History, Value};
//! use kingline::knowledge::tablebase::Tablebase;
//!
//! let tablebase = Tablebase::with_embedded(None);
//! let position: Position = "W:WK30,K31:BK11".parse()?;
//! assert_eq!(tablebase.value(&position), Ok(Value::Win(33)));
//!
//! let probes = 100_000;
//! let choice = tablebase.choose(&History::new(position), &Evaluation::default(), probes)?;
//! assert_eq!(tablebase.value(&position.play(choice.mv)), Ok(Value::Loss(32)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | question it answers |
//! | --- | --- |
//! | `value` | how far away a zeroing turn can be, and how the builder stores a value |
//! | `material` | which pieces are on the board |
//! | `board` | how the side to move sees a position |
//! | `turns` | which turns are legal |
//! | `index` | which number a position has among those of its material |
//! | `stored` | what a table stores about a position |
//! | `section` | how the table of a material is compressed, and read in place |
//! | `file` | how tables are stored in a file, and whether the file is sound |
//! | `broken` | what is wrong with a table or with a table file |
//! | `embedded` | which tables are embedded in the program |
//! | `probe` | what all tables together know about a position |
//! | `distance` | how far away the next zeroing turn is, exactly |
//! | `choose` | which turn is best in the current game |
//! | `build` | how tables are made, verified and written |

mod board;
mod broken;
pub mod build;
mod choose;
mod distance;
mod embedded;
mod file;
mod index;
mod material;
mod probe;
mod section;
#[cfg(test)]
#[cfg(feature = "tables")]
mod solved;
mod stored;
mod turns;
mod value;

pub use broken::TableError;
pub use choose::TableMove;
pub use embedded::embedded;
pub use file::{MAGIC, TableFile, Trust};
pub use material::Material;
pub use probe::{ProbeError, Tablebase};
pub use value::LONGEST;
