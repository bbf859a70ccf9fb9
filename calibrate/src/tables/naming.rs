//! Names an endgame table file in an agent's calibration.txt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use kingline_players::protocol::turn_files::CALIBRATION;
use serde_json::json;

use crate::calibration;

/// Endgame table file to name in an agent's calibration.txt.
pub(super) struct Naming {
    calibration: PathBuf,
    tables: String,
}

impl Naming {
    /// Names `file`, which need not exist yet, for the agent in `directory`.
    ///
    /// # Errors
    /// Fails if a folder is missing, the path is not UTF-8, calibration.txt is invalid, or the file lies in the agent's
    /// directory, where the course allows only its own files (§2).
    pub(super) fn new(file: &Path, directory: &Path) -> Result<Naming> {
        let agent = fs::canonicalize(directory).with_context(|| format!("cannot find {}", directory.display()))?;
        ensure!(agent.is_dir(), "{}: expected an agent's directory", directory.display());
        let path = absolute(file)?;
        let (shown, inside) = (path.display(), agent.display());
        ensure!(
            !path.starts_with(&agent),
            "{shown} would lie in the agent's directory {inside}: expected a file outside it"
        );
        let naming = Naming { calibration: agent.join(CALIBRATION), tables: utf8(&path)?.to_owned() };
        calibration::read(&naming.calibration)?;
        Ok(naming)
    }

    /// Writes the path into calibration.txt and keeps all other fields. Returns the path of calibration.txt.
    ///
    /// # Errors
    /// Fails if calibration.txt is invalid or cannot be written.
    pub(super) fn write(self) -> Result<PathBuf> {
        let mut fields = calibration::read(&self.calibration)?;
        fields.insert("tables".to_owned(), json!(self.tables));
        calibration::write(&self.calibration, &fields)?;
        Ok(self.calibration)
    }
}

/// Returns the line of calibration.txt that names `file`.
///
/// # Errors
/// Fails if the folder is missing or the path is not UTF-8.
pub(super) fn line(file: &Path) -> Result<String> {
    Ok(format!("\"tables\": {}", json!(utf8(&absolute(file)?)?)))
}

/// Returns the absolute path of a file in an existing folder.
fn absolute(file: &Path) -> Result<PathBuf> {
    let name = file.file_name().with_context(|| format!("{}: expected a file name", file.display()))?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).with_context(|| format!("cannot find {}", folder.display()))?;
    Ok(folder.join(name))
}

fn utf8(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{path:?}: expected a UTF-8 path"))
}
