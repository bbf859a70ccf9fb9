//! Edits calibration.txt and keeps the fields that this program does not change.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};
use kingline_players::files::{read_bytes, write_whole};
use kingline_players::protocol::turn_files::Calibration;
use kingline_players::terminal::stderr_line;
use serde_json::{Map, Value};

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
///
/// # Errors
/// Fails if the file cannot be written or the fields are not a valid calibration.
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

/// Returns the text of a calibration.txt.
///
/// # Errors
/// Never fails: such fields can always be written as JSON.
pub(crate) fn text(fields: &Map<String, Value>) -> Result<String> {
    Ok(serde_json::to_string_pretty(fields)? + "\n")
}
