//! What was measured, by which command, where and when: one file of rows, and the page of the guide that is made of it.
//!
//! A command that measures takes `--figures FILE` ([`FiguresOption`]) and leaves a row there for each figure, in the words
//! that it prints. Measured again, a row is replaced in its place.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `row` | what is known of a figure |
//! | `rows` | which figures are there, and how are they kept in a file |
//! | `page` | how are they shown |
//! | `option` | how does a command record what it measures |
//! | `command` | what would one type to measure it again |
//! | `machine` | which machine is this |
//! | `date` | which day is it |

mod command;
mod date;
mod machine;
mod option;
mod page;
mod row;
mod rows;

pub use command::command_line;
pub use date::Date;
pub use option::FiguresOption;
pub use row::{Figure, Row, Target, Topic};
pub use rows::Rows;
