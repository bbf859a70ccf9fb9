//! The folder of a site. It is first written under another name beside its place and replaces an earlier report as a
//! whole; while a tournament runs, only the files that changed are then replaced, each by renaming.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use rustix::io::Errno;

use super::earlier_site::{INNER, PARTIAL, check, foreign};

/// A site that is being written. Dropping it before [`SiteFolder::finish`] removes it.
pub(super) struct SiteFolder {
    target: PathBuf,
    /// Folder of the files now: beside the target until the site is finished.
    place: PathBuf,
    /// Lock on the folder, so that no other process writes the same site meanwhile.
    _lock: File,
    /// Hash and length of each file.
    files: HashMap<String, (u64, u64)>,
}

impl SiteFolder {
    /// Begins a site to be placed at `target`.
    ///
    /// # Errors
    /// There is something else at `target`, another report is being written there, or its parent folder is not
    /// writable.
    pub(super) fn create(target: &Path) -> Result<SiteFolder> {
        let target = resolve(target)?;
        check(&target)?;
        if target.is_dir() {
            drop(lock(&target, &target)?);
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let place = target.with_file_name(format!(".{name}{PARTIAL}"));
        let creating = format!("cannot create {}", place.display());
        if let Err(error) = fs::create_dir(&place) {
            // A run that was stopped may have left it.
            if error.kind() != io::ErrorKind::AlreadyExists || foreign(&place).context(creating.clone())?.is_some() {
                return Err(error).context(creating);
            }
        }
        let lock = lock(&place, &target)?;
        for entry in fs::read_dir(&place).context(creating.clone())? {
            let entry = entry?.path();
            if entry.is_dir() { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) }?;
        }
        for (inner, _) in INNER {
            fs::create_dir(place.join(inner)).context(creating.clone())?;
        }
        Ok(SiteFolder { target, place, _lock: lock, files: HashMap::new() })
    }

    /// Writes a file unless it is there with the same text; `name` is its path from the top of the site.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(&mut self, name: &str, text: &str) -> Result<()> {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let state = (hasher.finish(), text.len() as u64);
        if self.files.get(name) == Some(&state) {
            return Ok(());
        }
        self.stream(name, |file| Ok(file.write_all(text.as_bytes())?))?;
        self.files.insert(name.to_owned(), state);
        Ok(())
    }

    /// Writes a large file piece by piece. Its earlier content stays until it is complete.
    ///
    /// # Errors
    /// The file cannot be written, or `write` failed.
    pub(super) fn stream(&mut self, name: &str, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
        let mut stream = self.begin(name)?;
        write(&mut stream.file)?;
        self.end(stream)
    }

    /// Begins a large file, beside its place.
    ///
    /// # Errors
    /// The file cannot be created.
    pub(super) fn begin(&self, name: &str) -> Result<Stream> {
        let partial = self.place.join(format!(".{}{PARTIAL}", name.replace('/', "-")));
        let file = File::create(&partial).with_context(|| format!("cannot write {}", partial.display()))?;
        Ok(Stream { name: name.to_owned(), partial, file: BufWriter::new(file) })
    }

    /// Puts a complete file in its place.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn end(&mut self, stream: Stream) -> Result<()> {
        let path = self.place.join(&stream.name);
        let writing = || format!("cannot write {}", path.display());
        let file = stream.file.into_inner().map_err(io::IntoInnerError::into_error).with_context(writing)?;
        let length = file.metadata().with_context(writing)?.len();
        fs::rename(&stream.partial, &path).with_context(writing)?;
        self.files.insert(stream.name, (0, length));
        Ok(())
    }

    /// Adds a file that `write` writes to the path given to it, before the site is finished.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, name: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let path = self.place.join(name);
        write(&path)?;
        let length = fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?.len();
        self.files.insert(name.to_owned(), (0, length));
        Ok(())
    }

    /// Returns true if a file has been written.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Path of a file now.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.join(name)
    }

    /// Removes the files that are not in `kept` but were written before.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub(super) fn remove_others(&mut self, is_kept: impl Fn(&str) -> bool) -> Result<()> {
        let others: Vec<String> = self.files.keys().filter(|name| !is_kept(name)).cloned().collect();
        for name in others {
            let path = self.place.join(&name);
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            self.files.remove(&name);
        }
        Ok(())
    }

    /// Number of files and bytes written so far.
    pub(super) fn size(&self) -> (u64, u64) {
        (self.files.len() as u64, self.files.values().map(|(_, length)| length).sum())
    }

    /// Moves the site to its target, atomically if the file system can. Files that are written later are replaced there.
    ///
    /// # Errors
    /// The target cannot be replaced, or is no longer a report.
    pub(super) fn finish(&mut self) -> Result<()> {
        let replacing = || format!("cannot replace {}", self.target.display());
        if self.target.exists() {
            check(&self.target)?;
            if renameat_with(CWD, &self.place, CWD, &self.target, RenameFlags::EXCHANGE).is_ok() {
                // The earlier report, under the name of the new one.
                let earlier = std::mem::replace(&mut self.place, self.target.clone());
                return fs::remove_dir_all(&earlier).with_context(|| format!("cannot remove {}", earlier.display()));
            }
            fs::remove_dir_all(&self.target).with_context(replacing)?;
        }
        fs::rename(&self.place, &self.target).with_context(replacing)?;
        self.place = self.target.clone();
        Ok(())
    }
}

/// A file that is being written.
pub(super) struct Stream {
    name: String,
    partial: PathBuf,
    pub(super) file: BufWriter<File>,
}

impl Drop for SiteFolder {
    fn drop(&mut self) {
        if self.place != self.target {
            let _ = fs::remove_dir_all(&self.place);
        }
    }
}

/// Locks a folder of the site at `target`.
fn lock(folder: &Path, target: &Path) -> Result<File> {
    let lock = File::open(folder).with_context(|| format!("cannot open {}", folder.display()))?;
    // Some file systems do not support locks; there, the report is written without one.
    if flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
        bail!("{}: another report is being written here", target.display());
    }
    Ok(lock)
}

/// Resolves symbolic links, so that the path can be renamed; its last part need not exist.
fn resolve(target: &Path) -> Result<PathBuf> {
    let resolving = || format!("cannot resolve {}", target.display());
    if target.exists() {
        return target.canonicalize().with_context(resolving);
    }
    let Some(name) = target.file_name() else { bail!("{}: expected the name of a folder", target.display()) };
    let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(parent.canonicalize().with_context(resolving)?.join(name))
}

#[cfg(test)]
pub(super) mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::super::earlier_site::DATA;
    use super::*;

    const REPORT: &str = "{\"generator\":\"kingline 1\"}";

    /// Writes a small site.
    pub(in super::super) fn write(target: &Path) -> Result<(u64, u64)> {
        let mut folder = SiteFolder::create(target)?;
        folder.write("standings.json", REPORT)?;
        folder.write("data/games-1.js", "one")?;
        folder.finish()?;
        Ok(folder.size())
    }

    /// Names in a folder, sorted.
    pub(in super::super) fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_site_replaces_an_earlier_one_as_a_whole() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        assert_eq!(write(&target).unwrap(), (2, REPORT.len() as u64 + 3));
        fs::write(target.join("data/old.js"), "old").unwrap();
        write(&target).unwrap();
        assert_eq!(names(&target), ["agents", "data", "standings.json"]);
        assert_eq!(names(&target.join("data")), ["games-1.js"]);
        assert_eq!(names(place.path()), ["site"], "nothing is left beside it");
        std::os::unix::fs::symlink("site", place.path().join("link")).unwrap();
        write(&place.path().join("link")).unwrap();
        assert!(place.path().join("link").is_symlink() && target.join("data").is_dir());
    }

    #[test]
    fn leftovers_of_a_stopped_run_are_replaced_but_a_running_one_is_not() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        let first = SiteFolder::create(&target).unwrap();
        assert!(SiteFolder::create(&target).err().unwrap().to_string().contains("another report is being written"));
        fs::write(first.place.join("data/old.js"), "old").unwrap();
        // As after SIGKILL: the folder is still there, but no longer locked.
        let kept = place.path().join("kept");
        fs::rename(&first.place, &kept).unwrap();
        drop(first);
        fs::rename(&kept, place.path().join(".site.partial")).unwrap();
        write(&target).unwrap();
        assert_eq!(names(&target.join("data")), ["games-1.js"]);
        assert_eq!(names(place.path()), ["site"]);
    }

    #[test]
    fn a_finished_site_is_changed_file_by_file() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        let mut folder = SiteFolder::create(&target).unwrap();
        folder.write(DATA, REPORT).unwrap();
        folder.write("data/games-1.js", "one").unwrap();
        folder.finish().unwrap();
        let inode = |name: &str| fs::metadata(target.join(name)).unwrap().ino();
        let before = [DATA, "data/games-1.js"].map(inode);
        folder.write(DATA, REPORT).unwrap();
        folder.write("data/games-1.js", "two").unwrap();
        assert_eq!(fs::read_to_string(target.join("data/games-1.js")).unwrap(), "two");
        assert_eq!(inode(DATA), before[0], "a file with the same text is not written again");
        assert_ne!(inode("data/games-1.js"), before[1], "a file is replaced, not changed");
        assert_eq!(folder.size(), (2, REPORT.len() as u64 + 3));
        assert!(SiteFolder::create(&target).err().unwrap().to_string().contains("another report is being written"));
        folder.remove_others(|name| name == DATA).unwrap();
        assert_eq!(names(&target.join("data")), Vec::<String>::new());
        drop(folder);
        assert_eq!(names(place.path()), ["site"]);
        write(&target).unwrap();
    }
}
