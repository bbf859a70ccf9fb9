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
pub(crate) mod playdata;

pub use calibration::{Calibration, Costs, NodesPerSecond};
pub use charges::{Charges, TimedTurn};
pub use input::{InputError, Mode, TurnRequest};
pub use output::{AnswerError, is_answer_line, line_slip, read_answer, write_answer};
pub use playdata::Playdata;

use std::io::ErrorKind;
use std::path::Path;

use crate::files::read_text;

/// File names of the protocol, in the agent's directory.
pub const INPUT: &str = "input.txt";
/// See [`INPUT`].
pub const OUTPUT: &str = "output.txt";
/// See [`INPUT`].
pub const PLAYDATA: &str = "playdata.txt";
/// See [`INPUT`].
pub const CALIBRATION: &str = "calibration.txt";

/// Text of a file, if there is one. Warns if it cannot be read.
fn read_if_there(path: &Path, warnings: &mut Vec<String>) -> Option<String> {
    let text = read_text(path);
    if let Err(error) = &text
        && error.kind() != ErrorKind::NotFound
    {
        warnings.push(format!("cannot read {}: {error}; ignored", path.display()));
    }
    text.ok()
}
