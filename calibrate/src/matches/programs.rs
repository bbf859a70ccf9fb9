//! Players that are other programs, such as another build of `homework` or `loa`.
//!
//! | file | question it answers |
//! | --- | --- |
//! | `process` | how is a program run, and what CPU time does it use |
//! | `turn_files` | how does a program play checkers by turn files |
//! | `commands` | how does a program play Lines of Action by commands |

mod commands;
mod process;
mod turn_files;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use kingline_players::terminal::escaped_path;

pub(super) use commands::CommandPlayer;
use kingline_players::exit::BadInput;
pub(super) use process::WARNING;
pub(super) use turn_files::{TurnFilesPlayer, TurnRules};

/// Program and its arguments.
#[derive(Clone, Debug)]
pub(super) struct ProgramFile {
    /// Absolute path.
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<String>,
}

impl ProgramFile {
    /// Finds a program by its path.
    ///
    /// # Errors
    /// Fails if there is no such file.
    pub(super) fn find(path: &PathBuf, arguments: &[String]) -> Result<ProgramFile> {
        let shown = escaped_path(path);
        let bad = || BadInput::new(format!("cannot find the program {shown}; help: give the path of its file"));
        let found = path.canonicalize().with_context(bad)?;
        ensure!(found.is_file(), BadInput::new(format!("{shown} is not a program but a folder or a device")));
        Ok(ProgramFile { path: found, arguments: arguments.to_vec() })
    }
}

/// CPU time by which a move may exceed its limit if a program plays. Of 3,000 turns of `homework` on a busy machine, the
/// longest took 4.3 ms more than the median.
pub(super) const ALLOWANCE: Duration = Duration::from_millis(10);

/// Returns true if a move took longer than its limit allows.
pub(super) fn is_over(used: Duration, limit: Duration) -> bool {
    used > limit + ALLOWANCE
}

/// Wall time after which a program is killed. Other processes may slow it down, so this is long.
fn patience(limit: Duration) -> Duration {
    const LEAST: Duration = Duration::from_secs(10);
    LEAST.saturating_add(limit.saturating_mul(10))
}
