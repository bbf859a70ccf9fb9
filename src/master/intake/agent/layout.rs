//! Finds the folder that has the agent's files: course systems and students wrap it in folders and archives.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::java::JavaSource;
use super::language::named_source;
use super::lookalike::cleaned;
use super::walk::{LONGEST_SOURCE, NodeKind, Origin, TreeError, Walk, folder_of, shown, text};
use super::{Language, Trouble};
use crate::intake::archive;
use crate::league::preparation::TreeLimits;

/// Folder or single program with an agent's files.
pub(super) struct Layout {
    pub(super) files: PathBuf,
    /// Notes on earlier submissions that do not count, and on how an archive was read.
    pub(super) notes: Vec<String>,
}

/// Number of archives within each other that are unpacked.
const MOST_ARCHIVES: usize = 4;
/// First part of the names of folders with numbered submissions of one student: the largest number is the newest.
const NUMBERED: &str = "submission_";
/// Numbers from which on they no longer count one student's submissions but name a whole course's.
const MOST_SUBMISSIONS: u32 = 1000;

enum Content {
    /// This entry alone: a folder or an archive.
    Wrapped(PathBuf),
    /// Numbered submissions of one student, the newest last.
    Submissions(Vec<(u32, PathBuf)>),
    Files,
}

/// Passes through everything that only wraps the files at `top`; unpacks archives in a new folder in `unpacked`.
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
            let (folder, note) = unpack(&files, unpacked, limits)?;
            notes.extend(note.map(|note| format!("{}: {note}", shown(&files))));
            files = folder;
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
pub(super) fn unwrapped(path: &Path, unpacked: &Path, limits: &TreeLimits) -> Result<Option<PathBuf>, Trouble> {
    if path.is_file() {
        return archive::is_archive(path).then(|| Ok(unpack(path, unpacked, limits)?.0)).transpose();
    }
    match content(path).map_err(|error| Trouble::Unreadable(path.to_owned(), error))? {
        Content::Wrapped(inner) => Ok(Some(inner)),
        Content::Submissions(_) | Content::Files => Ok(None),
    }
}

/// Returns the folder of the files, and a note on how they were read.
fn unpack(archive: &Path, unpacked: &Path, limits: &TreeLimits) -> Result<(PathBuf, Option<&'static str>), Trouble> {
    let made = tempfile::tempdir_in(unpacked).map(TempDir::keep);
    let made = made.map_err(|error| Trouble::Unreadable(unpacked.to_owned(), error))?.join("files");
    let note = archive::unpack(archive, &made, limits).map_err(Trouble::Archive)?;
    let folder = made.canonicalize().map_err(|error| Trouble::Unreadable(made, error))?;
    Ok((folder, note))
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

/// Script that the shell runs if it is not executable itself.
pub(super) const SCRIPT: &str = "run.sh";
/// Folders whose programs are not the agent's.
const TESTS: [&str; 3] = ["test", "tests", "testing"];

/// Paths of the regular files in a folder, sorted, except those that are hidden, of tests, or added by a system.
pub(super) fn files(top: &Path, limits: &TreeLimits) -> Result<Vec<String>, TreeError> {
    let mut files = Vec::new();
    let walk = Walk { top, origin: Origin::HandedIn, limits, except: None };
    walk.each(|node| {
        let names: Vec<_> = node.inside.iter().collect();
        let is_left_out = |name| archive::is_left_out(name) || name.as_encoded_bytes().starts_with(b".");
        let in_tests = names.iter().rev().skip(1).any(|name| TESTS.iter().any(|test| name.eq_ignore_ascii_case(test)));
        if node.kind == NodeKind::File && !in_tests && !names.iter().any(|name| is_left_out(name)) {
            files.extend(node.inside.to_str().map(str::to_owned));
        }
        Ok(())
    })?;
    Ok(files)
}

/// Names of the files in a folder itself, sorted, except those that are hidden or added by a system.
pub(super) fn top_files(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.') && !archive::is_left_out(name.as_ref()));
    names.sort();
    Ok(names)
}

/// Finds the programs that may be meant among files at any depth, those of the most likely kind: a source of the right name, or the class `Main` in a package of that
/// name; then a source whose name is right apart from what systems add, or a class with `main` in that package; then a
/// script or a compiled program; then a recipe. Files of one folder count as one, since the folder has the program.
pub(super) fn candidates(top: &Path, files: &[String], names: &[&str], languages: &[Language]) -> Vec<String> {
    let mut room = 16 * LONGEST_SOURCE;
    let mut in_package = |path: &str| {
        let source = text(top, path).ok()?;
        room = room.checked_sub(source.len())?;
        let source = JavaSource::read(&source);
        (names.contains(&source.package.as_str()) && source.main.is_some() && !source.is_test()).then_some(())
    };
    let takes_java = languages.iter().any(|language| language.extension() == Some("java"));
    let mut found: [Vec<&String>; 4] = Default::default();
    for path in files {
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_named = |file: &str| named_source(languages, names, file).is_some();
        let is_java = takes_java && file.ends_with(".java");
        let rank = if is_named(file) {
            0
        } else if is_java && in_package(path).is_some() {
            usize::from(file != "Main.java")
        } else if cleaned(file, languages).is_some_and(|cleaned| is_named(&cleaned)) {
            1
        } else if file == SCRIPT || names.contains(&file) {
            2
        } else if languages.iter().any(|row| row.is_recipe() && row.file == file) {
            3
        } else {
            continue;
        };
        found[rank].push(path);
    }
    let rank = found.iter().position(|paths| !paths.is_empty()).unwrap_or_default();
    let mut found = std::mem::take(&mut found[rank]);
    // Each class, and each name that is nearly right, is a program.
    if rank != 1 && !found.iter().all(|path| path.ends_with(".java")) {
        found.dedup_by_key(|path| folder_of(path));
    }
    found.into_iter().cloned().collect()
}

/// The folder that has the packages of a Java source, as far as its own folders are named after its package.
pub(super) fn package_root<'a>(path: &'a str, package: &str) -> &'a str {
    let folder = folder_of(path);
    match folder.strip_suffix(&package.replace('.', "/")) {
        Some("") => "",
        Some(root) if !package.is_empty() => root.strip_suffix('/').unwrap_or(folder),
        _ => folder,
    }
}
