//! The command mode of Lines of Action (§2 to §4): the meaning of each line, and the answer to it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `lines` | what the next line of input is, however long or malformed |
//! | `dialect` | how the two editions of the course differ |
//! | `command` | what a line asks for |
//! | `vocabulary` | which commands there are beside those of an edition |
//! | `analysis` | how an analysis is written |
//! | `rules` | what `help` tells a person of the game |
//! | `refusal` | why a command is refused |
//! | `pace` | how long an automatic move may take |
//! | `level` | which levels of the machine there are |
//! | [`grammar`] | what a printed line of a program means |
//! | [`board`] | how boards are printed for programs |

mod analysis;
pub mod board;
mod command;
mod dialect;
pub mod grammar;
mod level;
mod lines;
mod pace;
mod refusal;
mod rules;
mod vocabulary;

pub use command::{Command, Control};
pub use dialect::{COURSE_2015, COURSE_2020, Dialect, Edits, Phase};
pub use level::Level;
pub use lines::LONGEST_LINE;
pub use pace::Pace;
pub use refusal::Refusal;
pub use vocabulary::Vocabulary;

pub(crate) use analysis::{analyzed, iteration};
pub(crate) use lines::{InputLine, read_line};
#[cfg(unix)]
pub(crate) use lines::{LineBytes, read_line_bytes};
