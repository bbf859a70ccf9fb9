//! The files of a submission at any depth, and the program among them.

use std::fs;
use std::io;
use std::path::Path;

use super::Language;
use super::java::JavaSource;
use super::lookalike::cleaned;
use super::walk::{NodeKind, Origin, TreeError, Walk};
use crate::intake::archive;
use crate::league::preparation::TreeLimits;
use crate::sandbox::read_untrusted;

/// Maximum length of a source in which names are looked for, in bytes.
pub(super) const LONGEST_SOURCE: usize = 1 << 20;
/// Script that the shell runs if it is not executable itself.
pub(super) const SCRIPT: &str = "run.sh";
/// Folders whose programs are not the agent's.
const TESTS: [&str; 3] = ["test", "tests", "testing"];

/// Programs that may be meant, of the most likely kind that is there. Paths inside the folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Candidates {
    None,
    One(String),
    Several(Vec<String>),
}

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

/// Reads a source, as text whatever its bytes.
pub(super) fn text(folder: &Path, file: &str) -> io::Result<String> {
    let bytes = read_untrusted(&folder.join(file).canonicalize()?, LONGEST_SOURCE).map_err(io::Error::other)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Finds the program among files at any depth: a source of the right name, or the class `Main` in a package of that
/// name; then a source whose name is right apart from what systems add, or a class with `main` in that package; then a
/// script or a compiled program; then a recipe. Files of one folder count as one, since the folder has the program.
pub(super) fn candidates(top: &Path, files: &[String], names: &[&str], languages: &[Language]) -> Candidates {
    let mut room = 16 * LONGEST_SOURCE;
    let mut in_package = |path: &str| {
        let source = text(top, path).ok()?;
        room = room.checked_sub(source.len())?;
        let source = JavaSource::read(&source);
        (names.contains(&source.package.as_str()) && source.main.is_some() && !source.is_test()).then_some(())
    };
    let (sources, recipes): (Vec<&Language>, Vec<&Language>) =
        languages.iter().partition(|language| !language.is_recipe());
    let takes_java = sources.iter().any(|language| language.extension() == Some("java"));
    let mut found: [Vec<&String>; 4] = Default::default();
    for path in files {
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_named = |file: &str| sources.iter().any(|row| names.iter().any(|name| row.file_of(name) == file));
        let is_java = takes_java && file.ends_with(".java");
        let rank = if is_named(file) {
            0
        } else if is_java && in_package(path).is_some() {
            usize::from(file != "Main.java")
        } else if cleaned(file, languages).is_some_and(|cleaned| is_named(&cleaned)) {
            1
        } else if file == SCRIPT || names.contains(&file) {
            2
        } else if recipes.iter().any(|recipe| recipe.file == file) {
            3
        } else {
            continue;
        };
        found[rank].push(path);
    }
    let Some(rank) = found.iter().position(|paths| !paths.is_empty()) else { return Candidates::None };
    let mut found = std::mem::take(&mut found[rank]);
    // Of classes and of names that are nearly right, each is a program.
    if rank != 1 && !found.iter().all(|path| path.ends_with(".java")) {
        found.dedup_by_key(|path| folder_of(path));
    }
    match &found[..] {
        [one] => Candidates::One((*one).clone()),
        several => Candidates::Several(several.iter().map(|&path| path.clone()).collect()),
    }
}

/// The folder of a path inside a folder; empty for that folder itself.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
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
