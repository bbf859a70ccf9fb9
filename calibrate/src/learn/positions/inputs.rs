//! Files to read, and a check of the files to write.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use kingline_players::files::{FileId, FileKind, check_target};

/// Returns the files in `inputs`, and the game files in its folders, sorted by name.
///
/// # Errors
/// Fails if a folder cannot be read or contains no game files, or a file is given twice.
pub(super) fn files(inputs: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for input in inputs {
        if input.is_dir() {
            files.extend(in_folder(input)?);
        } else {
            files.push(input.clone());
        }
    }
    let mut known = Vec::new();
    for file in &files {
        fs::metadata(file).with_context(|| format!("cannot read {}", file.display()))?;
        let id = FileId::of(file);
        ensure!(id.is_none() || !known.contains(&id), "{} is named twice: its games would count twice", file.display());
        known.push(id);
    }
    Ok(files)
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let path = entry.with_context(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "games") {
            files.push(path);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "{}: found no game files, expected files named *.games", folder.display());
    Ok(files)
}

/// Checks that these files may be written.
///
/// # Errors
/// Fails if a file is also read, is given twice, exists and may not be overwritten, or has no folder.
pub(super) fn check_outputs(outputs: &[&Path], inputs: &[PathBuf], may_overwrite: bool) -> Result<()> {
    /// With `--force`, a file of any kind is replaced.
    const ANYTHING: FileKind = FileKind { name: "a file", is_start: |_| true };
    let mut known: Vec<_> = inputs.iter().map(|path| FileId::of(path)).collect();
    for output in outputs {
        let name = output.display();
        let id = FileId::of(output);
        ensure!(id.is_none() || !known.contains(&id), "{name} is read or written already: expected another file");
        if !may_overwrite && output.symlink_metadata().is_ok() {
            bail!("{name} exists: expected a new file, or --force to overwrite it");
        }
        check_target(output, ANYTHING)?;
        known.push(id);
    }
    Ok(())
}
