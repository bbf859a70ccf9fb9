//! Files beside a script, and a check that a run overwrites no file that it reads.

use std::path::{Path, PathBuf};

use super::report::Language;
use super::settings::{Comparison, Leftovers, ScriptSettings};
use super::suite::Test;
use super::trace::Trace;
use crate::files::FileId;

/// Expected output of a 2020 script (§1).
pub(super) fn std(script: &Path) -> PathBuf {
    script.with_extension("std")
}

/// Compared output of a 2020 script (§1), or expected output of a 2015 script (§2).
pub(super) fn out(script: &Path) -> PathBuf {
    script.with_extension("out")
}

/// Standard error of a 2020 program, and how the program ended (§1).
pub(super) fn err(script: &Path) -> PathBuf {
    script.with_extension("err")
}

/// Output that can become the expected output (§2).
pub(super) fn out_tmp(script: &Path) -> PathBuf {
    script.with_extension("out.tmp")
}

/// Checks that a run writes no file that it reads, and none twice.
///
/// # Errors
/// A file would be overwritten; the error names it.
pub(super) fn check(tests: &[Test], settings: &ScriptSettings) -> Result<(), String> {
    let read = ids(tests.iter().flat_map(read));
    for test in tests {
        let mut taken = Vec::new();
        for (id, path) in ids(written(test, settings).into_iter()) {
            let name = path.display();
            if find(&read, &id).is_some() {
                return Err(format!("{name} would be overwritten, but it is read: expected scripts with other names"));
            }
            if find(&taken, &id).is_some() {
                return Err(format!("both programs would write {name}: expected scripts with different names"));
            }
            taken.push((id, path));
        }
    }
    let Trace::Log(log) = &settings.trace else { return Ok(()) };
    let Some(id) = FileId::of(log) else { return Ok(()) };
    match find(&ids(tests.iter().flat_map(beside)), &id) {
        Some(path) => {
            let (log, path) = (log.display(), path.display());
            Err(format!("--log={log} is {path}, a test file: expected another file"))
        }
        None => Ok(()),
    }
}

/// Identities of the files that store data; devices and the like are omitted.
fn ids(paths: impl Iterator<Item = PathBuf>) -> Vec<(FileId, PathBuf)> {
    paths.filter_map(|path| Some((FileId::of(&path)?, path))).collect()
}

fn find<'a>(files: &'a [(FileId, PathBuf)], id: &FileId) -> Option<&'a Path> {
    files.iter().find(|(other, _)| other == id).map(|(_, path)| path.as_path())
}

/// Scripts and expected outputs of a test.
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

/// All files of a test that some run may read or write.
fn beside(test: &Test) -> Vec<PathBuf> {
    test.paths.iter().flat_map(|path| [path.clone(), std(path), out(path), err(path), out_tmp(path)]).collect()
}
