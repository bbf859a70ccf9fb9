//! What is read from and written into the files of a turn of the checkers agent (§2)?
//!
//! | file | question it answers |
//! | --- | --- |
//! | `input` | what input.txt asks for |
//! | `output` | how a turn is written into output.txt, and read from it |
//! | `playdata` | what this game has been so far |
//! | `calibration` | what is known of this machine, and how the agent is to play on it |

mod calibration;
mod input;
mod output;
mod playdata;

pub use calibration::{Calibration, Costs, NodesPerSecond};
pub use input::{InputError, Mode, TurnRequest};
pub use output::{AnswerError, is_answer_line, line_slip, read_answer, write_answer};
pub use playdata::Playdata;

/// File names of the protocol, in the agent's directory.
pub const INPUT: &str = "input.txt";
/// See [`INPUT`].
pub const OUTPUT: &str = "output.txt";
/// See [`INPUT`].
pub const PLAYDATA: &str = "playdata.txt";
/// See [`INPUT`].
pub const CALIBRATION: &str = "calibration.txt";
