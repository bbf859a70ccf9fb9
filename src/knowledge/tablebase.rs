//! What are checkers positions of a few pieces worth, under the 50-turn rule (§1)?
//!
//! For every such position the endgame tables hold who wins, with no quiet turn behind it, and how far the next zeroing
//! turn is: a capture, a crowning or the end of the game, after which the count starts anew. The outcome is exact: a
//! position is won if its side to move can force a zeroing turn within 50 plies, into a position that is won again. The
//! distance is stored as a span of about eight plies, and made exact by a short search; with it the outcome is known
//! under any count. Where the side to move must jump nothing is stored: jumps are played out. No repetition can undo a
//! win, as every turn of the winner brings the next zeroing turn nearer.
//!
//! The tables of up to five pieces, at most three a side, and of four against one are inside the program, with the
//! feature `tables`; a file on disk may add others, with the feature `programs`. Callers need not know which table
//! answers:
//!
//! ```
//! # #[cfg(feature = "tables")] {
//! use kingline::checkers::Position;
//! use kingline::game::{Game, History, Value};
//! use kingline::knowledge::tablebase::Tablebase;
//!
//! let tablebase = Tablebase::with_embedded(None);
//! let position: Position = "W:WK30,K31:BK11".parse()?;
//! assert_eq!(tablebase.value(&position), Ok(Value::Win(33)));
//!
//! let probes = 100_000;
//! let choice = tablebase.choose(&History::new(position), probes)?;
//! assert_eq!(tablebase.value(&position.play(choice.mv)), Ok(Value::Loss(32)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | question it answers |
//! | --- | --- |
//! | `value` | how far a zeroing turn can be, and how the builder keeps a value |
//! | `material` | which pieces stand on the board |
//! | `board` | how the side to move sees a position |
//! | `turns` | what can be played there |
//! | `index` | which number a position has among those of its material |
//! | `stored` | what a table says of a position |
//! | `section` | how the table of a material is compressed, and read in place |
//! | `file` | how tables lie in a file, and whether it is sound |
//! | `broken` | what is wrong with the bytes of a table, or with a file of tables |
//! | `embedded`, `check_embedded` | which tables are inside the program; whether it was built with them |
//! | `side` | how a file of tables on disk is read |
//! | `probe` | what all tables together say of a position |
//! | `distance` | how far the next zeroing turn is, exactly |
//! | `choose` | which turn is best, in this game |
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
#[cfg(feature = "programs")]
mod side;
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
#[cfg(feature = "programs")]
pub use side::SideFile;
pub use value::LONGEST;
