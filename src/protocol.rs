//! What goes in and out of the programs as text? No player is in here.
//!
//! | room | whose text |
//! | --- | --- |
//! | [`turn_files`] | a turn of the checkers agent: input.txt, output.txt, playdata.txt, calibration.txt |
//! | [`request`] | the 6x6 Lines of Action agent |
//! | [`commands`] | the command mode of Lines of Action, in two dialects |
//! | `scripts` | tests of Lines of Action programs, in two languages (Unix) |
//!
//! `slip` names what is easily overlooked in an answer: a blank at the end of a line.

pub mod commands;
pub mod request;
#[cfg(unix)]
pub mod scripts;
mod slip;
pub mod turn_files;
