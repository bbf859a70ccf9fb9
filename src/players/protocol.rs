//! Text that the programs read and write. This module contains no player.
//!
//! | module | whose text |
//! | --- | --- |
//! | [`turn_files`] | the checkers agent, for one turn: input.txt, output.txt, playdata.txt, calibration.txt |
//! | [`request`] | the 6x6 Lines of Action agent |
//! | [`hub`] | the checkers engine in board programs |
//! | [`commands`] | the command mode of Lines of Action, in two dialects |
//!
//! `slip` names mistakes in an answer that are easy to overlook, such as a blank at the end of a line.

pub mod commands;
pub mod hub;
pub mod request;
mod slip;
pub mod turn_files;
