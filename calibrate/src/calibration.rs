//! Edits calibration.txt and keeps the fields that this program does not change.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kingline_players::files::{read_bytes, write_whole};
use kingline_players::protocol::turn_files::{CALIBRATION, Calibration};
use kingline_players::terminal::stderr_line;
use serde_json::{Map, Value, json};

/// Reads all fields of a calibration.txt, including those unknown to agents. Returns no fields if the file does not
/// exist.
///
/// # Errors
/// Fails if the file cannot be read or is not a valid calibration.
pub(crate) fn read(path: &Path) -> Result<Map<String, Value>> {
    let shown = path.display();
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Map::new()),
        Err(error) => bail!("cannot read {shown}: {error}"),
    };
    let fields = String::from_utf8(bytes).map_err(anyhow::Error::from).and_then(|text| {
        Calibration::parse(&text, &mut Vec::new())?;
        Ok(serde_json::from_str(&text)?)
    });
    fields.with_context(|| format!("{shown} is invalid"))
}

/// Writes a calibration.txt, and warns on standard error of each field that an agent will ignore. Returns what an agent
/// will read.
pub(crate) fn write(path: &Path, fields: &Map<String, Value>) -> Result<Calibration> {
    let text = text(fields)?;
    let mut faults = Vec::new();
    let read = Calibration::parse(&text, &mut faults).context("the measured fields are not a valid calibration")?;
    write_whole(path, text.as_bytes())?;
    for fault in faults {
        stderr_line(format_args!("warning: {}: {fault}", path.display()));
    }
    Ok(read)
}

pub(crate) fn text(fields: &Map<String, Value>) -> Result<String> {
    Ok(serde_json::to_string_pretty(fields)? + "\n")
}

/// Endgame table file to name in an agent's calibration.txt.
pub(crate) struct Naming {
    calibration: PathBuf,
    tables: String,
}

impl Naming {
    /// Names `file`, which need not exist yet, for the agent in `directory`.
    ///
    /// # Errors
    /// Fails if a folder is missing, the path is not UTF-8, calibration.txt is invalid, or the file lies in the agent's
    /// directory, where the course allows only its own files (§2).
    pub(crate) fn new(file: &Path, directory: &Path) -> Result<Naming> {
        let agent = fs::canonicalize(directory).with_context(|| format!("cannot find {}", directory.display()))?;
        ensure!(agent.is_dir(), "{}: expected an agent's directory", directory.display());
        let path = absolute(file)?;
        let (shown, inside) = (path.display(), agent.display());
        ensure!(
            !path.starts_with(&agent),
            "{shown} would lie in the agent's directory {inside}: expected a file outside it"
        );
        let naming = Naming { calibration: agent.join(CALIBRATION), tables: utf8(&path)?.to_owned() };
        read(&naming.calibration)?;
        Ok(naming)
    }

    /// Writes the path into calibration.txt and keeps all other fields. Returns the path of calibration.txt.
    pub(crate) fn write(self) -> Result<PathBuf> {
        let mut fields = read(&self.calibration)?;
        fields.insert("tables".to_owned(), json!(self.tables));
        write(&self.calibration, &fields)?;
        Ok(self.calibration)
    }
}

/// Returns the line of calibration.txt that names `file`.
///
/// # Errors
/// Fails if the folder is missing or the path is not UTF-8.
pub(crate) fn naming_line(file: &Path) -> Result<String> {
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
