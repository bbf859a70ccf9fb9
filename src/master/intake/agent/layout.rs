//! Finds the folder that has the agent's files: course systems and students wrap it in folders and archives.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Trouble;
use crate::intake::archive;
use crate::league::preparation::TreeLimits;
use kingline_players::terminal::escaped;

/// Folder or single program with an agent's files.
pub(super) struct Layout {
    pub(super) files: PathBuf,
    /// Notes on earlier submissions that do not count.
    pub(super) notes: Vec<String>,
}

/// Number of archives within each other that are unpacked.
const MOST_ARCHIVES: usize = 4;
/// First part of the names of folders with numbered submissions of one student: the largest number is the newest.
const NUMBERED: &str = "submission_";
/// Numbers from which on they no longer count one student's submissions but name a whole course's.
const MOST_SUBMISSIONS: u32 = 1000;

/// Content of a folder.
enum Content {
    /// This entry alone: a folder or an archive.
    Wrapped(PathBuf),
    /// Numbered submissions of one student, the newest last.
    Submissions(Vec<(u32, PathBuf)>),
    /// Anything else.
    Files,
}

/// Passes through everything that only wraps the files at `top`; unpacks archives in a new folder in `unpacked`.
///
/// # Errors
/// An archive is refused, or a folder cannot be read.
pub(super) fn settle(top: PathBuf, unpacked: &Path, limits: &TreeLimits) -> Result<Layout, Trouble> {
    let (mut files, mut notes) = (top, Vec::new());
    let (mut archives, mut depth) = (0, 0);
    loop {
        if files.is_file() {
            if !archive::is_archive(&files) {
                return Ok(Layout { files, notes });
            }
            if archives == MOST_ARCHIVES {
                return Err(Trouble::Nested(MOST_ARCHIVES));
            }
            archives += 1;
            files = unpack(&files, unpacked, limits)?;
        }
        depth += 1;
        match content(&files).map_err(|error| Trouble::Unreadable(files.clone(), error))? {
            Content::Wrapped(inner) if depth < limits.depth => files = inner,
            Content::Submissions(mut all) if depth < limits.depth => {
                let Some((_, newest)) = all.pop() else { return Ok(Layout { files, notes }) };
                if !all.is_empty() {
                    let others: Vec<_> = all.iter().map(|(_, path)| shown(path)).collect();
                    notes.push(format!("{} is graded as the newest; not {}", shown(&newest), others.join(", ")));
                }
                files = newest;
            }
            _ => return Ok(Layout { files, notes }),
        }
    }
}

/// Returns what alone is in a folder, or an archive's files, unpacked in a new folder in `unpacked`; `None` if there is
/// more than one thing in the folder, or a file that is no archive.
///
/// # Errors
/// An archive is refused, or a folder cannot be read.
pub(super) fn unwrapped(path: &Path, unpacked: &Path, limits: &TreeLimits) -> Result<Option<PathBuf>, Trouble> {
    if path.is_file() {
        return archive::is_archive(path).then(|| unpack(path, unpacked, limits)).transpose();
    }
    match content(path).map_err(|error| Trouble::Unreadable(path.to_owned(), error))? {
        Content::Wrapped(inner) => Ok(Some(inner)),
        Content::Submissions(_) | Content::Files => Ok(None),
    }
}

fn unpack(archive: &Path, unpacked: &Path, limits: &TreeLimits) -> Result<PathBuf, Trouble> {
    let made = tempfile::tempdir_in(unpacked).map(TempDir::keep);
    let made = made.map_err(|error| Trouble::Unreadable(unpacked.to_owned(), error))?.join("files");
    archive::unpack(archive, &made, limits).map_err(Trouble::Archive)?;
    made.canonicalize().map_err(|error| Trouble::Unreadable(made, error))
}

fn content(folder: &Path) -> std::io::Result<Content> {
    let (mut folders, mut archives) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if archive::is_left_out(&entry.file_name()) {
            continue;
        }
        let (kind, path) = (entry.file_type()?, entry.path());
        match () {
            () if kind.is_dir() => folders.push(path),
            () if kind.is_file() && archive::is_archive(&path) => archives.push(path),
            () => return Ok(Content::Files),
        }
        // Also ends the walk through a folder with many entries.
        if folders.len() > MOST_SUBMISSIONS as usize || archives.len() > 1 {
            return Ok(Content::Files);
        }
    }
    let mut numbered: Vec<_> = folders.iter().filter_map(|path| Some((number(path)?, path.clone()))).collect();
    numbered.sort();
    Ok(match (&folders[..], &archives[..]) {
        (_, []) if !folders.is_empty() && numbered.len() == folders.len() => Content::Submissions(numbered),
        ([only], []) | ([], [only]) => Content::Wrapped(only.clone()),
        _ => Content::Files,
    })
}

/// Returns the number of a student's submission, e.g. 3 for `submission_3`.
fn number(folder: &Path) -> Option<u32> {
    let digits = folder.file_name()?.to_str()?.strip_prefix(NUMBERED)?;
    digits.parse().ok().filter(|&number| number < MOST_SUBMISSIONS)
}

fn shown(path: &Path) -> String {
    escaped(&path.file_name().unwrap_or_default().to_string_lossy())
}
