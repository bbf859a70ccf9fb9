//! Files that the checkers agent reads and writes in a turn (§2).
//!
//! | file | question it answers |
//! | --- | --- |
//! | `input` | what input.txt asks for |
//! | `output` | how output.txt states a turn |
//! | `playdata` | what happened in this game so far |
//! | `charges` | what the agent's turns cost beyond its thought |
//! | `calibration` | how fast this machine is, and how the agent plays on it |

mod calibration;
mod charges;
mod input;
mod output;
mod playdata;

pub use calibration::{Calibration, Costs, NodesPerSecond};
pub use charges::{Charges, TimedTurn};
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
