//! Streams that a run is given by name; `-` is standard input or output.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Where commands come from.
///
/// # Errors
/// Says which file cannot be opened, and why.
pub fn open_input(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Where output goes; what a file held before is gone.
///
/// # Errors
/// Says which file cannot be created, and why.
pub fn create_output(path: &Path) -> Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    Ok(Box::new(BufWriter::new(create(path)?)))
}

/// The log; what it held before is gone.
///
/// # Errors
/// Says which file cannot be created, and why.
pub fn create_log(path: &Path) -> Result<Box<dyn Write>> {
    Ok(Box::new(create(path)?))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot create {}", path.display()))
}
