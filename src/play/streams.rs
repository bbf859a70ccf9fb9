//! Where do commands come from, and where does output go? Both are named; `-` is standard input or output.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::console::Console;

impl Console<'static> {
    /// A console with these streams, and standard error for errors; what `output` and `log` held before is gone.
    ///
    /// # Errors
    /// Says which file cannot be opened or created, and why.
    pub fn open(input: &Path, output: &Path, log: Option<&Path>) -> Result<Console<'static>> {
        Ok(Console {
            input: open_input(input)?,
            output: create_output(output)?,
            errors: Box::new(io::stderr()),
            log: log.map(create_log).transpose()?,
        })
    }
}

fn open_input(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

fn create_output(path: &Path) -> Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    Ok(Box::new(BufWriter::new(create(path)?)))
}

fn create_log(path: &Path) -> Result<Box<dyn Write>> {
    Ok(Box::new(create(path)?))
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot create {}", path.display()))
}
