//! What goes in and out of the programs as text? No player is in here.
//!
//! | room | whose text |
//! | --- | --- |
//! | [`turn_files`] | a turn of the checkers agent: input.txt, output.txt, playdata.txt, calibration.txt |
//! | [`request`] | the 6x6 Lines of Action agent |
//! | [`commands`] | the command mode of Lines of Action, in two dialects |
//! | `scripts` | tests of Lines of Action programs, in two languages (Unix) |

pub mod commands;
pub mod request;
#[cfg(unix)]
pub mod scripts;
pub mod turn_files;
