//! A bounded walk through files that a student or a build has written. Follows no links, and opens only regular files.

use std::fs::{self, File, FileType, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use crate::intake::archive::EntryName;
use crate::league::agent_limits::Bytes;
use crate::league::preparation::TreeLimits;
use crate::sandbox::{open_untrusted, read_untrusted};
use kingline_players::terminal::escaped;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) top: &'a Path,
    pub(crate) origin: Origin,
    pub(crate) limits: &'a TreeLimits,
    /// Name of an entry of the folder that is left out.
    pub(crate) except: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A student handed it in, so nothing in it is changed. Pipes, sockets and devices are allowed.
    HandedIn,
    /// A build left it in its working directory. Closed files and folders are opened. Pipes, sockets and devices are
    /// refused.
    Built,
    /// It was checked when it was handed in or built, perhaps by an earlier version, so links may lead anywhere.
    Checked,
}

#[derive(Debug)]
pub(crate) struct Node {
    /// Path inside the folder; empty for the folder itself.
    pub(crate) inside: PathBuf,
    pub(crate) path: PathBuf,
    pub(crate) about: Metadata,
    pub(crate) kind: NodeKind,
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Folder,
    File,
    /// A symbolic link, with its target.
    Link(PathBuf),
    /// Something else, in words.
    Special(&'static str),
}

/// Reason why the files of a submission are refused. Limits are in bytes.
#[derive(Debug, Error)]
pub(crate) enum TreeError {
    #[error("too many files, expected at most {0} files and folders; {LEAVE_OUT}, such as virtual environments")]
    TooMany(u64),
    #[error("too big, expected at most {} in all files together; {LEAVE_OUT}", Bytes(*.0))]
    TooBig(u64),
    #[error("{0}: too deep, expected at most {1} nested folders; help: use fewer folders")]
    Deep(EntryName, usize),
    #[error("{0}: the name is too long, expected at most {1} bytes")]
    LongName(EntryName, usize),
    #[error("{0}: the path is too long, expected at most {1} bytes; help: shorten names or use fewer folders")]
    LongPath(EntryName, usize),
    #[error("{0}: the name is not UTF-8; help: rename it using plain letters")]
    NotUtf8(EntryName),
    #[error(
        "{0}: a link to {1}, expected a place inside the agent's own folder; help: copy the file there, or remove the link"
    )]
    LeadsOut(EntryName, EntryName),
    #[error("{0}: {1}, expected only files and folders")]
    Special(EntryName, &'static str),
    #[error("cannot read {}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    /// A copy cannot be written, which is the machine's fault.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Unwritable(PathBuf, io::Error),
}

const LEAVE_OUT: &str = "help: leave out what is not needed to build and run the agent";

/// Folders of programs that every agent sees under the same path. Virtual environments have links to them.
const PROGRAMS: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];

impl Walk<'_> {
    /// Visits everything, in order of the paths and each folder before its content.
    pub(crate) fn each(&self, mut visit: impl FnMut(&Node) -> Result<(), TreeError>) -> Result<(), TreeError> {
        let (mut entries, mut bytes) = (self.limits.entries, self.limits.bytes);
        let mut waiting = vec![PathBuf::new()];
        while let Some(inside) = waiting.pop() {
            let node = self.node(inside)?;
            if node.kind == NodeKind::File {
                let left = bytes.checked_sub(node.about.len());
                bytes = left.ok_or(TreeError::TooBig(self.limits.bytes))?;
            }
            visit(&node)?;
            if node.kind == NodeKind::Folder {
                waiting.extend(self.below(&node, &mut entries)?);
            }
        }
        Ok(())
    }

    fn node(&self, inside: PathBuf) -> Result<Node, TreeError> {
        let path = self.path(&inside);
        let about = fs::symlink_metadata(&path).map_err(|error| TreeError::Unreadable(path.clone(), error))?;
        let kind = match about.file_type() {
            kind if kind.is_dir() => NodeKind::Folder,
            kind if kind.is_file() => NodeKind::File,
            kind if kind.is_symlink() => {
                let target = fs::read_link(&path).map_err(|error| TreeError::Unreadable(path.clone(), error))?;
                if self.origin != Origin::Checked && leads_out(&inside, &target, self.top) {
                    return Err(TreeError::LeadsOut(name(&inside), name(&target)));
                }
                NodeKind::Link(target)
            }
            kind => NodeKind::Special(in_words(kind)),
        };
        let most = self.limits.depth;
        match kind {
            NodeKind::Folder if inside.components().count() > most => Err(TreeError::Deep(name(&inside), most)),
            NodeKind::Special(what) if self.origin == Origin::Built => Err(TreeError::Special(name(&inside), what)),
            kind => Ok(Node { inside, path, about, kind, origin: self.origin }),
        }
    }

    /// Paths of a folder's entries, last one first.
    fn below(&self, folder: &Node, entries: &mut u64) -> Result<Vec<PathBuf>, TreeError> {
        let unreadable = |error| TreeError::Unreadable(folder.path.clone(), error);
        let opened = folder.opened(0o700, || fs::read_dir(&folder.path)).map_err(unreadable)?;
        let mut below = Vec::new();
        for entry in opened {
            let own = entry.map_err(unreadable)?.file_name();
            let is_top = folder.inside.as_os_str().is_empty();
            if is_top && self.except.is_some_and(|except| own == except) {
                continue;
            }
            *entries = entries.checked_sub(1).ok_or(TreeError::TooMany(self.limits.entries))?;
            let inside = folder.inside.join(&own);
            let TreeLimits { name: most, path: longest, .. } = *self.limits;
            if own.to_str().is_none() {
                return Err(TreeError::NotUtf8(name(&inside)));
            } else if own.len() > most {
                return Err(TreeError::LongName(name(&inside), most));
            } else if inside.as_os_str().len() > longest {
                return Err(TreeError::LongPath(name(&inside), longest));
            }
            below.push(inside);
        }
        below.sort_by(|a, b| b.cmp(a));
        Ok(below)
    }

    /// Joining an empty path would append a slash.
    fn path(&self, inside: &Path) -> PathBuf {
        if inside.as_os_str().is_empty() { self.top.to_owned() } else { self.top.join(inside) }
    }
}

impl Node {
    pub(crate) fn open(&self) -> io::Result<File> {
        self.opened(0o600, || Ok(open_untrusted(&self.path, u64::MAX)?.0))
    }

    /// Tries again with these rights if a build has closed its own file or folder.
    fn opened<T>(&self, mode: u32, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
        match open() {
            Err(error) if error.kind() == ErrorKind::PermissionDenied && self.origin == Origin::Built => {
                fs::set_permissions(&self.path, Permissions::from_mode(mode))?;
                open()
            }
            done => done,
        }
    }
}

/// Returns true if a link at `inside` leads neither to a place inside the folder `top` nor to the system's programs.
/// The target need not exist.
fn leads_out(inside: &Path, target: &Path, top: &Path) -> bool {
    let relative = match target.strip_prefix(top) {
        Ok(rest) => rest.to_owned(),
        Err(_) if target.is_absolute() => {
            let is_program = PROGRAMS.iter().any(|folder| target.starts_with(folder));
            return !is_program || target.components().any(|part| part == Component::ParentDir);
        }
        Err(_) => inside.parent().unwrap_or(inside).join(target),
    };
    let mut depth = 0_usize;
    for part in relative.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    false
}

fn name(path: &Path) -> EntryName {
    EntryName::new(path.as_os_str().as_bytes())
}

fn in_words(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

impl TreeError {
    pub(crate) fn is_machines(&self) -> bool {
        matches!(self, TreeError::Unwritable(..))
    }
}

/// Maximum length of a source in which names are looked for, in bytes.
pub(super) const LONGEST_SOURCE: usize = 1 << 20;

/// Reads a source, as text whatever its bytes.
pub(super) fn text(folder: &Path, file: &str) -> io::Result<String> {
    let bytes = read_untrusted(&folder.join(file).canonicalize()?, LONGEST_SOURCE)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a file, to be shown on a terminal.
pub(super) fn shown(path: &Path) -> String {
    escaped(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// The folder of a path inside a folder; empty for that folder itself.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Length of a literal between this number of quotes. With one, it ends no later than its line.
pub(super) fn literal(text: &str, quote: char, quotes: usize) -> usize {
    let end = quote.to_string().repeat(quotes);
    let mut letters = text.char_indices().skip(quotes);
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' if quotes == 1 => return place,
            _ if text[place..].starts_with(&end) => return place + quotes,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    use super::*;

    const LIMITS: TreeLimits = TreeLimits { bytes: 1000, entries: 6, depth: 2, name: 10, path: 20 };

    /// Paths in a folder made by `make`, joined by blanks, or the error.
    fn walked(origin: Origin, make: impl FnOnce(&Path)) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path());
        let walk = Walk { top: folder.path(), origin, limits: &LIMITS, except: Some("except") };
        let mut seen = Vec::new();
        let done = walk.each(|node| {
            if node.kind == NodeKind::File {
                node.open().unwrap();
            }
            seen.push(node.inside.display().to_string());
            Ok(())
        });
        done.map(|()| seen.join(" ")).map_err(|error| error.to_string())
    }

    fn write(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "0123456789").unwrap();
    }

    #[test]
    fn everything_is_visited_in_order_even_what_a_build_has_closed() {
        let seen = walked(Origin::Built, |top| {
            ["b/c", "b/d/e", "a", "except/a/b/c"].iter().for_each(|name| write(&top.join(name)));
            symlink("../a", top.join("b/link")).unwrap();
            for closed in ["b/d/e", "b/d"] {
                fs::set_permissions(top.join(closed), Permissions::from_mode(0o000)).unwrap();
            }
        });
        assert_eq!(seen.unwrap(), " a b b/c b/d b/d/e b/link");
    }

    #[test]
    fn every_limit_is_named() {
        let refused = |make: &dyn Fn(&Path), expected: &str| {
            for origin in [Origin::HandedIn, Origin::Built] {
                let error = walked(origin, make).unwrap_err();
                assert!(error.contains(expected), "{error}: expected {expected}");
            }
        };
        refused(
            &|top| (0..7).for_each(|name| write(&top.join(name.to_string()))),
            "expected at most 6 files and folders",
        );
        refused(&|top| write(&top.join("a/b/c/d")), "a/b/c: too deep, expected at most 2 nested folders");
        refused(&|top| write(&top.join("12345678901")), "12345678901: the name is too long, expected at most 10 bytes");
        refused(&|top| write(&top.join("123456789/1234567890/x")), "the path is too long, expected at most 20 bytes");
        refused(&|top| write(&top.join(OsStr::from_bytes(b"\xff"))), "the name is not UTF-8");
        // A hole counts.
        refused(&|top| File::create(top.join("a")).unwrap().set_len(1001).unwrap(), "expected at most 1000 bytes");
        for target in ["/etc/passwd", "..", "b/../../c", "/proc/kmsg", "/usr/../etc/passwd"] {
            refused(&|top| symlink(target, top.join("a")).unwrap(), "expected a place inside the agent's own folder");
        }
    }

    #[test]
    fn links_inside_and_to_programs_are_allowed() {
        for target in ["b/../c", "nowhere", ".", "/usr/bin/python3"] {
            assert_eq!(walked(Origin::HandedIn, |top| symlink(target, top.join("a")).unwrap()).unwrap(), " a");
        }
        assert_eq!(walked(Origin::Built, |top| symlink(top.join("b"), top.join("a")).unwrap()).unwrap(), " a");
    }

    #[test]
    fn special_files_of_a_build_are_refused() {
        let pipe: fn(&Path) = |top| mkfifo(&top.join("a"), Mode::S_IRUSR).unwrap();
        let socket: fn(&Path) = |top| drop(UnixListener::bind(top.join("a")).unwrap());
        for (make, what) in [(pipe, "a: a named pipe"), (socket, "a: a socket")] {
            assert_eq!(walked(Origin::HandedIn, make).unwrap(), " a");
            assert!(walked(Origin::Built, make).unwrap_err().contains(what));
        }
    }
}
