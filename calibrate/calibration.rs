//! How is calibration.txt edited? What this program does not mean to change stays as it is.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use kingline::files::{read_bytes, write_whole};
use kingline::protocol::turn_files::Calibration;
use kingline::terminal::stderr_line;
use serde_json::{Map, Value};

/// All fields of a calibration.txt, including those that no agent knows; none if there is no such file.
///
/// # Errors
/// It cannot be read, or is no valid calibration.
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
    // As text: an error of serde_json would be taken for bad usage.
    fields.map_err(|error| anyhow!("{shown} is invalid: {error:#}"))
}

/// Writes a calibration.txt, with a warning on standard error for each field that an agent will ignore; returns what an
/// agent will read.
///
/// # Errors
/// The file cannot be written, or the fields are no valid calibration.
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

/// The text of a calibration.txt.
///
/// # Errors
/// None: such fields can always be written as JSON.
pub(crate) fn text(fields: &Map<String, Value>) -> Result<String> {
    Ok(serde_json::to_string_pretty(fields)? + "\n")
}
