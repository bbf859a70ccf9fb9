//! Identity of files, independent of the path or standard stream that leads to them; and early checks of output files: an
//! error before hours of work is better than one after.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{cannot_write, folder_of};

/// Limit on the symbolic links followed to a file that does not exist yet.
const MAX_LINKS: usize = 40;

/// Identity of a file, the same for every path and link that leads to it; defined even for a file that does not exist
/// yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId {
    place: Place,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    #[cfg(unix)]
    Inode { device: u64, inode: u64 },
    /// Path with all links resolved: for a file that does not exist yet, and for any file on other systems.
    Path(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Data that can be overwritten.
    Stored,
    /// Pipe: nothing can be overwritten, but data written to it can be read back.
    #[cfg(unix)]
    Piped,
}

/// A standard stream of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardStream {
    /// Standard input.
    Input,
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

impl FileId {
    /// Returns the identity of the file at `path`. `None` for terminals, `/dev/null` and other devices, which store no
    /// data, and for anything that cannot be opened.
    pub fn of(path: &Path) -> Option<FileId> {
        match fs::metadata(path) {
            Ok(metadata) => FileId::of_existing(&metadata, || fs::canonicalize(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(FileId { place: Place::Path(place_of_new(path)?), content: Content::Stored })
            }
            Err(_) => None,
        }
    }

    /// Returns the identity of the file behind a standard stream. `None` for devices and sockets, and always on systems
    /// other than Unix.
    pub fn of_stream(stream: StandardStream) -> Option<FileId> {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd;
            let handle = match stream {
                StandardStream::Input => io::stdin().as_fd().try_clone_to_owned(),
                StandardStream::Output => io::stdout().as_fd().try_clone_to_owned(),
                StandardStream::Error => io::stderr().as_fd().try_clone_to_owned(),
            };
            let metadata = fs::File::from(handle.ok()?).metadata().ok()?;
            FileId::of_existing(&metadata, || Err(io::ErrorKind::Unsupported.into()))
        }
        #[cfg(not(unix))]
        {
            let _ = stream;
            None
        }
    }

    #[cfg(unix)]
    fn of_existing(metadata: &Metadata, _: impl Fn() -> io::Result<PathBuf>) -> Option<FileId> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let kind = metadata.file_type();
        if kind.is_char_device() || kind.is_socket() {
            return None;
        }
        let place = Place::Inode { device: metadata.dev(), inode: metadata.ino() };
        Some(FileId { place, content: if kind.is_fifo() { Content::Piped } else { Content::Stored } })
    }

    #[cfg(not(unix))]
    fn of_existing(metadata: &Metadata, path: impl Fn() -> io::Result<PathBuf>) -> Option<FileId> {
        let place = Place::Path(metadata.is_file().then(path)?.ok()?);
        Some(FileId { place, content: Content::Stored })
    }
}

/// Path, with all links resolved, of a file that does not exist yet.
fn place_of_new(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    Some(fs::canonicalize(folder_of(&path)).ok()?.join(path.file_name()?))
}

/// A file that a program reads or writes, with the name by which the user knows it.
#[derive(Clone, Debug)]
pub struct UsedFile {
    /// Argument or stream: `INPUT-FILE`, `standard output`.
    role: String,
    path: Option<PathBuf>,
    id: Option<FileId>,
}

impl fmt::Display for StandardStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StandardStream::Input => "standard input",
            StandardStream::Output => "standard output",
            StandardStream::Error => "standard error",
        })
    }
}

impl UsedFile {
    /// The file at `path`, given as the argument `role`.
    pub fn named(role: &str, path: &Path) -> UsedFile {
        UsedFile { role: role.to_owned(), path: Some(path.to_owned()), id: FileId::of(path) }
    }

    /// A standard stream.
    pub fn stream(stream: StandardStream) -> UsedFile {
        UsedFile { role: stream.to_string(), path: None, id: FileId::of_stream(stream) }
    }

    fn is(&self, other: &UsedFile) -> bool {
        self.id.is_some() && self.id == other.id
    }

    /// Role and path: `OUTPUT-FILE out`.
    fn shown(&self) -> String {
        let Some(path) = &self.path else { return self.role.clone() };
        format!("{} {}", self.role, path.display())
    }
}

/// Checks, before anything is written, that no file is both read and written, or written twice.
///
/// # Errors
/// Two of them are the same file; the error names both and suggests what to change.
pub fn check_different(read: &[UsedFile], written: &[UsedFile]) -> Result<()> {
    for (number, file) in written.iter().enumerate() {
        let refuse = |other: &UsedFile, why: &str| -> Result<()> {
            let [file_shown, other] = [file.shown(), other.shown()];
            bail!("{file_shown} and {other} are the same file, {why}; help: use another file for {}", file.role)
        };
        if let Some(input) = read.iter().find(|input| input.is(file)) {
            refuse(input, "and the output would overwrite the input or be read back")?;
        }
        let is_kept = file.id.as_ref().is_some_and(|id| id.content == Content::Stored);
        if let Some(other) = written[..number].iter().find(|other| is_kept && other.is(file)) {
            refuse(other, "and one output would overwrite the other")?;
        }
    }
    Ok(())
}

/// Number of leading bytes that identify a file's kind.
const LONGEST_START: u64 = 4096;

/// Kind of file that a program writes and may replace.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// Name in messages: `a weights file`.
    pub name: &'static str,
    /// Returns `true` if a file with these leading bytes is of this kind.
    pub is_start: fn(&[u8]) -> bool,
}

/// Checks that a file of this kind can be written at `path`, and that it would replace only an empty file or one of its
/// kind.
///
/// # Errors
/// The folder does not exist; `path` is a folder, a device or a pipe, or the file behind standard output or standard
/// error; or an existing file is of another kind.
pub fn check_target(path: &Path, kind: FileKind) -> Result<()> {
    let shown = path.display();
    let there = fs::metadata(path);
    ensure!(!there.as_ref().is_ok_and(Metadata::is_dir), "{}: it is a folder", cannot_write(path));
    let folder = folder_of(path);
    let is_folder = fs::metadata(folder).with_context(|| cannot_write(path))?.is_dir();
    ensure!(is_folder, "{}: {} is not a folder", cannot_write(path), folder.display());
    let Ok(there) = there else { return Ok(()) };
    ensure!(there.is_file(), "{}: not a regular file", cannot_write(path));
    for stream in [StandardStream::Output, StandardStream::Error] {
        let is_stream = FileId::of_stream(stream).is_some_and(|id| FileId::of(path) == Some(id));
        ensure!(!is_stream, "{shown} is {stream}: expected another file");
    }
    let mut start = Vec::new();
    if there.len() > 0 {
        let read = File::open(path).and_then(|file| file.take(LONGEST_START).read_to_end(&mut start));
        read.with_context(|| format!("cannot read {shown}, which would be replaced"))?;
        ensure!(
            (kind.is_start)(&start),
            "{shown}: found something else, expected {}, which would be replaced, or a new file",
            kind.name
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_identity_whatever_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("inner")).unwrap();
        for name in ["a", "b"] {
            fs::write(path(name), "").unwrap();
        }
        for name in ["a", "new"] {
            let id = FileId::of(&path(name)).unwrap();
            assert_eq!(FileId::of(&path("inner/..").join(name)), Some(id.clone()));
            assert_ne!(FileId::of(&path("b")), Some(id.clone()));
            assert_ne!(FileId::of(&path("inner/new")), Some(id));
        }
        assert_eq!(FileId::of(&path("none/new")), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_the_file_even_before_it_exists() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "").unwrap();
        fs::create_dir(path("inner")).unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink("../a", path("inner/soft")).unwrap();
        symlink(".", path("here")).unwrap();
        symlink("../new", path("inner/dangling")).unwrap();
        symlink("inner/dangling", path("twice")).unwrap();
        symlink("loop", path("loop")).unwrap();
        for name in ["hard", "inner/soft", "here/a", "here/inner/soft"] {
            assert_eq!(FileId::of(&path(name)), FileId::of(&path("a")), "{name}");
        }
        for name in ["inner/dangling", "twice", "here/new", "here/twice"] {
            assert_eq!(FileId::of(&path(name)), FileId::of(&path("new")), "{name}");
        }
        assert_eq!(FileId::of(&path("loop")), None);
        assert_eq!(FileId::of(Path::new("/dev/null")), None);
    }

    #[test]
    fn an_error_names_both_files_and_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| UsedFile::named("FILE", &folder.path().join(name)));
        check_different(&[a.clone(), a.clone()], std::slice::from_ref(&b)).unwrap();
        check_different(&[], &[a.clone(), b.clone()]).unwrap();
        for (read, written) in [(&[a.clone()][..], &[b.clone(), a.clone()][..]), (&[], &[b, a.clone(), a])] {
            let error = check_different(read, written).unwrap_err().to_string();
            assert!(error.ends_with("use another file for FILE") && error.contains("are the same file"), "{error}");
        }
    }

    #[test]
    fn a_file_of_its_kind_is_replaced_and_no_other() {
        const KIND: FileKind = FileKind { name: "a weights file", is_start: |start| start.starts_with(b"weights") };
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("empty", ""), ("old", "weights 1"), ("other", "mine"), ("short", "weight")] {
            fs::write(path(name), text).unwrap();
        }
        for name in ["empty", "old", "new"] {
            check_target(&path(name), KIND).unwrap();
        }
        let error = |name: &str| format!("{:#}", check_target(&path(name), KIND).unwrap_err());
        for name in ["other", "short"] {
            assert!(
                error(name)
                    .ends_with("found something else, expected a weights file, which would be replaced, or a new file")
            );
        }
        assert!(error("").ends_with("it is a folder") && error("old/new").ends_with("old is not a folder"));
        assert!(error("none/new").contains("cannot write"));
    }
}
