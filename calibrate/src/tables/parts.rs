//! Parts of an interrupted build, kept on disk.

use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kingline::knowledge::tablebase::Material;
use kingline::knowledge::tablebase::build::BuildPart;
use kingline_players::files::write_synced;
use kingline_players::terminal::stderr_line;

/// Folder of a build's finished parts.
pub(super) struct SavedParts {
    folder: PathBuf,
}

impl SavedParts {
    /// Opens or creates the folder of parts beside `file`.
    ///
    /// # Errors
    /// Fails if nothing can be created beside the file.
    pub(super) fn of(file: &Path) -> Result<SavedParts> {
        let mut name = file.file_name().context("--output: expected a file name")?.to_os_string();
        name.push(".parts");
        let folder = file.with_file_name(name);
        let made = fs::create_dir(&folder).or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) });
        made.with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(SavedParts { folder })
    }

    /// True if no interrupted build has left parts.
    pub(super) fn are_none(&self) -> bool {
        fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_none())
    }

    /// Loads a saved part. Returns `None` if there is none or, with a warning, if it cannot be used.
    pub(super) fn load(&self, part: BuildPart) -> Option<Vec<u8>> {
        let path = self.folder.join(part.name());
        let why = match fs::read(&path) {
            Ok(bytes) => match part.read(bytes) {
                None => "it is damaged".to_owned(),
                bytes => return bytes,
            },
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => error.to_string(),
        };
        stderr_line(format_args!("warning: rebuilding {}: {why}", path.display()));
        None
    }

    /// Saves a part for a later run.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(super) fn save(&self, part: BuildPart, bytes: &[u8]) -> Result<()> {
        write_synced(&self.folder.join(part.name()), &[&part.head(bytes), bytes])
    }

    /// Deletes the parts, and the folder unless something else is in it. Warns if the folder stays.
    pub(super) fn remove(self) {
        let all = names_of_all_parts();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let (parts, others): (Vec<_>, Vec<_>) =
            entries.partition(|entry| is_ours(&entry.file_name().to_string_lossy(), &all));
        for part in parts {
            // If a part cannot be removed, neither can the folder; the warning below reports that.
            let _ = fs::remove_file(part.path());
        }
        let folder = self.folder.display();
        if let Some(other) = others.iter().map(DirEntry::file_name).min() {
            let other = other.to_string_lossy();
            stderr_line(format_args!("warning: {folder} is kept: {other} in it is not part of a build"));
        } else if let Err(error) = fs::remove_dir(&self.folder) {
            stderr_line(format_args!("warning: cannot remove {folder}: {error}"));
        }
    }
}

/// Returns the part names of all possible builds, since an earlier one may have been for more pieces.
fn names_of_all_parts() -> HashSet<String> {
    let materials = (2..=6).flat_map(|pieces| Material::all(pieces, 4));
    materials
        .flat_map(|material| [BuildPart::Values(material), BuildPart::Section(material)].map(BuildPart::name))
        .collect()
}

/// True for the name of a part or of its temporary file, which a killed build leaves.
fn is_ours(name: &str, parts: &HashSet<String>) -> bool {
    let part = name.strip_suffix(".tmp").and_then(|name| name.rsplit_once('.')).map_or(name, |(part, _)| part);
    parts.contains(part)
}
