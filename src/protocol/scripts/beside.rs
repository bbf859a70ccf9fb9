//! Which files lie beside a script, and would a run write over one that it reads?

use std::path::{Path, PathBuf};

use super::report::Language;
use super::settings::{Comparison, Leftovers, ScriptSettings};
use super::suite::Test;
use super::trace::Trace;
use crate::files::FileId;

/// 2020: the expected output (§1).
pub(super) fn std(script: &Path) -> PathBuf {
    script.with_extension("std")
}

/// 2020: the output that is compared (§1). 2015: the expected output (§2).
pub(super) fn out(script: &Path) -> PathBuf {
    script.with_extension("out")
}

/// 2020: what a program wrote on standard error, and its ending (§1).
pub(super) fn err(script: &Path) -> PathBuf {
    script.with_extension("err")
}

/// The output, to become the expected one (§2).
pub(super) fn out_tmp(script: &Path) -> PathBuf {
    script.with_extension("out.tmp")
}

/// Checks that no file would be written which the same run reads, nor two into one.
///
/// # Errors
/// Says which file it is.
pub(super) fn check(tests: &[Test], settings: &ScriptSettings) -> Result<(), String> {
    let read = ids(tests.iter().flat_map(read));
    for test in tests {
        let mut taken = Vec::new();
        for (id, path) in ids(written(test, settings).into_iter()) {
            let name = path.display();
            if find(&read, &id).is_some() {
                return Err(format!("{name} would be written over, but it is read: expected scripts of other names"));
            }
            if find(&taken, &id).is_some() {
                return Err(format!("both programs would write {name}: expected scripts of different names"));
            }
            taken.push((id, path));
        }
    }
    let Trace::Log(log) = &settings.trace else { return Ok(()) };
    let Some(id) = FileId::of(log) else { return Ok(()) };
    match find(&ids(tests.iter().flat_map(beside)), &id) {
        Some(path) => {
            let (log, path) = (log.display(), path.display());
            Err(format!("--log={log} is {path}, a file of a test: expected a file of its own"))
        }
        None => Ok(()),
    }
}

/// What identifies these files; devices and the like hold nothing that could be lost.
fn ids(paths: impl Iterator<Item = PathBuf>) -> Vec<(FileId, PathBuf)> {
    paths.filter_map(|path| Some((FileId::of(&path)?, path))).collect()
}

fn find<'a>(files: &'a [(FileId, PathBuf)], id: &FileId) -> Option<&'a Path> {
    files.iter().find(|(other, _)| other == id).map(|(_, path)| path.as_path())
}

/// The scripts and the expected outputs.
fn read(test: &Test) -> Vec<PathBuf> {
    let expected = if test.language == Language::Of2020 { std } else { out };
    test.paths.iter().flat_map(|path| [path.clone(), expected(path)]).collect()
}

fn written(test: &Test, settings: &ScriptSettings) -> Vec<PathBuf> {
    let mut written = Vec::new();
    for path in &test.paths {
        if settings.leftovers == Leftovers::Keep && test.language == Language::Of2020 {
            written.extend([out(path), err(path)]);
        }
        if settings.comparison == Comparison::Write {
            written.push(out_tmp(path));
        }
    }
    written
}

/// All that a run may read or write, whatever its settings.
fn beside(test: &Test) -> Vec<PathBuf> {
    test.paths.iter().flat_map(|path| [path.clone(), std(path), out(path), err(path), out_tmp(path)]).collect()
}
