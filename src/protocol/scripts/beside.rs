//! Which files lie beside a script, and would a run write over one that it reads?

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::report::Language;
use super::settings::{Comparison, Leftovers, ScriptSettings};
use super::suite::Test;
use super::trace::Trace;

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
    let mut taken = HashMap::new();
    for path in tests.iter().flat_map(read) {
        taken.insert(Identity::of(&path), path);
    }
    for test in tests {
        let written = written(test, settings);
        if let Some(path) = written.iter().find(|path| taken.contains_key(&Identity::of(path))) {
            return Err(format!(
                "{} would be written over, but it is read: expected scripts of other names",
                path.display()
            ));
        }
        let mut places = HashMap::new();
        for path in &written {
            if places.insert(Identity::of(path), path).is_some() {
                let name = path.display();
                return Err(format!("both programs would write {name}: expected scripts of different names"));
            }
        }
    }
    let Trace::Log(log) = &settings.trace else { return Ok(()) };
    for path in tests.iter().flat_map(beside) {
        taken.insert(Identity::of(&path), path);
    }
    match taken.get(&Identity::of(log)) {
        Some(path) => {
            let (log, path) = (log.display(), path.display());
            Err(format!("--log={log} is {path}, a file of a test: expected a file of its own"))
        }
        None => Ok(()),
    }
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

/// Tells files apart, however their paths are written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity {
    /// Its device and its number there: links lead to the same ones.
    Present(u64, u64),
    /// Where it would be made.
    Absent(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Identity {
        match fs::metadata(path) {
            Ok(data) => Identity::Present(data.dev(), data.ino()),
            Err(_) => Identity::Absent(place(path, MOST_LINKS)),
        }
    }
}

/// Links in a row; more of them are a circle.
const MOST_LINKS: u32 = 40;

/// Where a file that is not there would be made: a link that leads nowhere is followed.
fn place(path: &Path, links: u32) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    match fs::read_link(path) {
        Ok(target) if links > 0 => place(&folder.join(target), links - 1),
        _ => {
            let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
            path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn files_are_told_apart_by_what_they_are_and_not_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("d")).unwrap();
        fs::write(path("a"), "").unwrap();
        fs::hard_link(path("a"), path("b")).unwrap();
        symlink("a", path("c")).unwrap();
        symlink("../new", path("d/e")).unwrap();
        symlink("loop", path("loop")).unwrap();
        for (first, second, are_one) in [
            ("a", "b", true),
            ("a", "c", true),
            ("a", "d/../a", true),
            ("a", "new", false),
            ("new", "d/e", true),
            ("new", "d/../new", true),
            ("new", "d/new", false),
            ("loop", "new", false),
        ] {
            let is_one = Identity::of(&path(first)) == Identity::of(&path(second));
            assert_eq!(is_one, are_one, "{first} {second}");
        }
    }
}
