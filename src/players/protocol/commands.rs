//! The command mode of Lines of Action (§2 to §4): the meaning of each line, and the answer to it.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `lines` | what the next line of input is, however long or malformed |
//! | `dialect` | which commands each edition of the course has, and how they differ |
//! | `command` | what a line asks for |
//! | `refusal` | why a command is refused, and how long an automatic move may take |
//! | [`grammar`] | what a printed line of a program means, and how boards are printed for programs |

mod command;
mod dialect;
pub mod grammar;
mod lines;
mod refusal;

pub use command::{Command, Control};
pub use dialect::{COURSE_2015, COURSE_2020, Dialect, Edits, Phase};
pub use lines::LONGEST_LINE;
pub use refusal::{Level, Pace, Refusal};

#[cfg(unix)]
pub(crate) use dialect::Edition;
pub(crate) use lines::{InputLine, read_line};
#[cfg(unix)]
pub(crate) use lines::{LineBytes, read_line_bytes};
