//! Files of submissions, and the forms in which they are handed in.

use std::path::Path;

use super::archives::{tar_bz2, tar_gz, tar_xz, zip};
use super::command::Dir;
use super::programs::root;

/// Content of a file in tests/honest.
pub(crate) fn honest(path: &str) -> Vec<u8> {
    let path = root().join("tests/honest").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files of a submission: names and contents.
pub(crate) type Files = Vec<(&'static str, Vec<u8>)>;

pub(crate) fn python() -> Files {
    vec![("homework.py", honest("python/plain.py")), ("moves.py", honest("python/moves.py"))]
}

pub(crate) fn java() -> Files {
    vec![("homework.java", honest("java/Homework.java")), ("Moves.java", honest("java/Moves.java"))]
}

pub(crate) fn c() -> Files {
    vec![("homework.c", honest("c/plain.c")), ("moves.h", honest("c/moves.h"))]
}

pub(crate) fn text(name: &'static str, content: &str) -> Files {
    vec![(name, content.as_bytes().to_vec())]
}

pub(crate) fn with(mut files: Files, name: &'static str, content: &str) -> Files {
    files.push((name, content.as_bytes().to_vec()));
    files
}

/// Form of a submission.
#[derive(Clone, Copy)]
pub(crate) enum As {
    Folder,
    Zip,
    /// All files in a folder of this name.
    ZippedFolder(&'static str),
    TarGz,
    TarXz,
    TarBz2,
    /// A zip that contains only a zip of them.
    ZippedTwice,
}

impl As {
    pub(crate) fn write(self, class: &Dir, name: &str, files: &Files) {
        let folder = if let As::ZippedFolder(folder) = self { format!("{folder}/") } else { String::new() };
        let names: Vec<String> = files.iter().map(|(file, _)| format!("{folder}{file}")).collect();
        let files: Vec<(&str, &[u8])> =
            names.iter().zip(files).map(|(name, (_, content))| (&**name, &content[..])).collect();
        let (end, bytes) = match self {
            As::Folder => {
                class.make_dir(&format!("class/{name}"));
                return files.iter().for_each(|(file, content)| class.write(&format!("class/{name}/{file}"), content));
            }
            As::Zip | As::ZippedFolder(_) => ("zip", zip(&files)),
            As::TarGz => ("tar.gz", tar_gz(&files)),
            As::TarXz => ("tar.xz", tar_xz(&files)),
            As::TarBz2 => ("tar.bz2", tar_bz2(&files)),
            As::ZippedTwice => ("zip", zip(&[("hw2.zip", &zip(&files))])),
        };
        class.write(&format!("class/{name}.{end}"), bytes);
    }
}

/// True if this machine lacks a program that only some languages need.
pub(crate) fn lacks(program: &str) -> bool {
    !["/usr/local/bin", "/usr/bin", "/bin"].iter().any(|folder| Path::new(folder).join(program).exists())
}

/// True if this machine lacks one of these programs; then reports the test as skipped.
pub(crate) fn is_skipped(test: &str, programs: &[&str]) -> bool {
    let missing: Vec<&str> = programs.iter().copied().filter(|program| lacks(program)).collect();
    if !missing.is_empty() {
        super::skipped::skipped(test, &format!("there is no {}", missing.join(" and no ")));
    }
    !missing.is_empty()
}
