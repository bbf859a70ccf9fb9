//! The folder of a site. It is first written under another name beside its place and replaces an earlier report as a
//! whole; while a tournament runs, only the files that changed are then replaced, each by renaming.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::{Deserialize, Serialize};

/// The list of a site's files, which tells it from other folders.
const MANIFEST: &str = "site.json";
/// Folders in a site.
const INNER: [&str; 2] = ["agents", "data"];
/// End of the name of a file that is being written.
const PARTIAL: &str = ".partial";

#[derive(Serialize, Deserialize)]
struct Manifest {
    generator: String,
    files: BTreeSet<String>,
}

/// A site that is being written. Dropping it before [`SiteFolder::finish`] removes it.
pub(super) struct SiteFolder {
    target: PathBuf,
    /// Folder of the files now: beside the target until the site is finished.
    place: PathBuf,
    /// Lock on the folder, so that no other process writes the same site meanwhile.
    _lock: File,
    files: HashMap<String, (u64, u64)>,
}

impl SiteFolder {
    /// Begins a site to be placed at `target`.
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
            let is_ours = || -> io::Result<bool> {
                Ok(listed(&place).is_some() || entries(&place)?.iter().all(|name| is_partial(name)))
            };
            if error.kind() != io::ErrorKind::AlreadyExists || !is_ours().context(creating.clone())? {
                return Err(error).context(creating);
            }
        }
        let lock = lock(&place, &target)?;
        for entry in fs::read_dir(&place).context(creating.clone())? {
            let entry = entry?.path();
            if entry.is_dir() { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) }?;
        }
        let mut folder = SiteFolder { target, place, _lock: lock, files: HashMap::new() };
        folder.list()?;
        for inner in INNER {
            fs::create_dir(folder.place.join(inner)).context(creating.clone())?;
        }
        Ok(folder)
    }

    pub(super) fn list(&mut self) -> Result<()> {
        let generator = concat!("kingline ", env!("CARGO_PKG_VERSION")).to_owned();
        let files = self.files.keys().cloned().chain([MANIFEST.to_owned()]).collect();
        self.write(MANIFEST, &(serde_json::to_string(&Manifest { generator, files })? + "\n"))
    }

    /// Writes a file unless it is there with the same text; `name` is its path from the top of the site.
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
    pub(super) fn stream(&mut self, name: &str, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
        let mut stream = self.begin(name)?;
        write(&mut stream.file)?;
        self.end(stream)
    }

    /// Begins a large file, beside its place.
    pub(super) fn begin(&mut self, name: &str) -> Result<Stream> {
        if self.place == self.target && !self.files.contains_key(name) {
            // Listed before it is there, so that a site whose update was stopped is still a site.
            self.files.insert(name.to_owned(), (0, 0));
            self.list()?;
        }
        let partial = self.place.join(format!(".{}{PARTIAL}", name.replace('/', "-")));
        let file = File::create(&partial).with_context(|| format!("cannot write {}", partial.display()))?;
        Ok(Stream { name: name.to_owned(), partial, file: BufWriter::new(file) })
    }

    /// Puts a complete file in its place.
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
    pub(super) fn add(&mut self, name: &str, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let path = self.place.join(name);
        write(&path)?;
        let length = fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?.len();
        self.files.insert(name.to_owned(), (0, length));
        Ok(())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.place.join(name)
    }

    /// Removes the files that are not kept, except the list.
    pub(super) fn remove_others(&mut self, is_kept: impl Fn(&str) -> bool) -> Result<()> {
        let others: Vec<String> =
            self.files.keys().filter(|name| *name != MANIFEST && !is_kept(name)).cloned().collect();
        for name in others {
            let path = self.place.join(&name);
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            self.files.remove(&name);
        }
        Ok(())
    }

    pub(super) fn size(&self) -> (u64, u64) {
        (self.files.len() as u64, self.files.values().map(|(_, length)| length).sum())
    }

    /// Moves the site to its target, atomically if the file system can. Files that are written later are replaced there.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.list()?;
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

fn lock(folder: &Path, target: &Path) -> Result<File> {
    let lock = File::open(folder).with_context(|| format!("cannot open {}", folder.display()))?;
    // Some file systems do not support locks; there, the report is written without one.
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
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

/// Fails unless the target is an earlier report, an empty folder or nothing.
fn check(target: &Path) -> Result<()> {
    let expected = "expected a report of an earlier run, an empty folder or nothing";
    let Ok(about) = fs::symlink_metadata(target) else { return Ok(()) };
    let shown = target.display();
    if !about.is_dir() {
        bail!("{shown}: found a file, {expected}");
    }
    let reading = || format!("cannot read {shown}");
    if fs::read_dir(target).with_context(reading)?.next().is_none() {
        return Ok(());
    }
    let Some(listed) = listed(target) else {
        bail!("{shown}: found a folder without the {MANIFEST} of a report, {expected}")
    };
    let entries = entries(target).with_context(reading)?;
    match entries.difference(&listed).find(|name| !is_partial(name)) {
        None => Ok(()),
        Some(name) => bail!("{shown}: found a folder with {name:?} in it, {expected}"),
    }
}

fn is_partial(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(PARTIAL)
}

/// The files that a site lists; `None` if the folder is no site.
fn listed(folder: &Path) -> Option<BTreeSet<String>> {
    let manifest: Manifest = serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()?;
    manifest.generator.starts_with("kingline ").then_some(manifest.files)
}

/// The files in a folder and in its folders that a site has as well. Other folders, links and the like end in a slash.
fn entries(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for within in [""].into_iter().chain(INNER) {
        let entries = match fs::read_dir(folder.join(within)) {
            // A run that was stopped may not have created it.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !within.is_empty() => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = Path::new(within).join(entry.file_name()).to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_file() {
                names.insert(name);
            } else if !(kind.is_dir() && INNER.contains(&name.as_str())) {
                names.insert(name + "/");
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    /// Writes a small site with these files, each of three bytes.
    fn write(target: &Path, files: &[&str]) -> Result<(u64, u64)> {
        let mut folder = SiteFolder::create(target)?;
        files.iter().try_for_each(|name| folder.write(name, "one"))?;
        folder.finish()?;
        Ok(folder.size())
    }

    const FILES: [&str; 2] = ["index.html", "data/games-1.js"];

    /// Names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A folder that does not exist yet.
    fn place() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        (place, target)
    }

    #[test]
    fn a_site_replaces_an_earlier_one_as_a_whole() {
        let (place, target) = place();
        write(&target, &["index.html", "data/old.js", "old.html"]).unwrap();
        let length = fs::metadata(target.join(MANIFEST)).unwrap().len();
        let (files, bytes) = write(&target, &FILES).unwrap();
        assert!(files == 3 && bytes > 6 && bytes < length + 9, "{files} files, {bytes} bytes");
        assert_eq!(names(&target), ["agents", "data", "index.html", "site.json"]);
        assert_eq!(names(&target.join("data")), ["games-1.js"]);
        assert_eq!(names(place.path()), ["site"], "nothing is left beside it");
        std::os::unix::fs::symlink("site", place.path().join("link")).unwrap();
        write(&place.path().join("link"), &FILES).unwrap();
        assert!(place.path().join("link").is_symlink() && target.join("data").is_dir());
    }

    #[test]
    fn leftovers_of_a_stopped_run_are_replaced_but_a_running_one_is_not() {
        let (place, target) = place();
        let first = SiteFolder::create(&target).unwrap();
        assert!(SiteFolder::create(&target).err().unwrap().to_string().contains("another report is being written"));
        fs::write(first.place.join("data/old.js"), "old").unwrap();
        // As after SIGKILL: the folder is still there, but no longer locked.
        let kept = place.path().join("kept");
        fs::rename(&first.place, &kept).unwrap();
        drop(first);
        let partial = place.path().join(".site.partial");
        fs::rename(&kept, &partial).unwrap();
        write(&target, &FILES).unwrap();
        assert_eq!(names(&target.join("data")), ["games-1.js"]);
        assert_eq!(names(place.path()), ["site"]);
        // Killed before the list of files was there.
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join(".site.json.partial"), "").unwrap();
        write(&target, &FILES).unwrap();
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join("mine"), "").unwrap();
        assert!(write(&target, &FILES).is_err() && partial.join("mine").is_file());
    }

    #[test]
    fn a_finished_site_is_changed_file_by_file() {
        let (place, target) = place();
        let mut folder = SiteFolder::create(&target).unwrap();
        folder.write("index.html", "one").unwrap();
        folder.write("data/games-1.js", "one").unwrap();
        folder.finish().unwrap();
        let inode = |name: &str| fs::metadata(target.join(name)).unwrap().ino();
        let before = ["index.html", "data/games-1.js"].map(inode);
        folder.write("index.html", "one").unwrap();
        folder.write("data/games-1.js", "two").unwrap();
        assert_eq!(fs::read_to_string(target.join("data/games-1.js")).unwrap(), "two");
        assert_eq!(inode("index.html"), before[0], "a file with the same text is not written again");
        assert_ne!(inode("data/games-1.js"), before[1], "a file is replaced, not changed");
        assert_eq!(folder.size().0, 3);
        let _stopped = folder.begin("data/games-2.js").unwrap();
        assert!(listed(&target).unwrap().contains("data/games-2.js"), "listed before it is there");
        assert!(SiteFolder::create(&target).err().unwrap().to_string().contains("another report is being written"));
        folder.files.remove("data/games-2.js");
        folder.remove_others(|name| name == "index.html").unwrap();
        assert_eq!(names(&target.join("data")), Vec::<String>::new());
        drop(folder);
        write(&target, &FILES).unwrap();
        assert_eq!(names(place.path()), ["site"]);
    }

    #[test]
    fn a_folder_that_is_not_a_report_is_left_alone() {
        let (place, target) = place();
        fs::create_dir(&target).unwrap();
        write(&target, &FILES).unwrap();
        let refused = |target: &Path, expected: &str| {
            let before = names(target);
            let error = format!("{:#}", write(target, &FILES).unwrap_err());
            assert!(error.contains(expected) && error.contains("expected a report of an earlier run"), "{error}");
            assert_eq!(names(target), before);
        };
        for name in [".git", "notes.txt", "data/notes.js", "agents/1.html", "agents/mine/", "mine/"] {
            let path = target.join(name);
            if name.ends_with('/') { fs::create_dir(&path) } else { fs::write(&path, "mine") }.unwrap();
            refused(&target, &format!("{name:?} in it"));
            if name.ends_with('/') { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
        }
        write(&target, &FILES).unwrap();
        for manifest in [None, Some("{}"), Some("{\"generator\":\"other 1\",\"files\":[\"index.html\"]}")] {
            fs::remove_file(target.join(MANIFEST)).unwrap_or_default();
            manifest.iter().for_each(|text| fs::write(target.join(MANIFEST), text).unwrap());
            refused(&target, "without the site.json of a report");
        }
        let file = place.path().join("file");
        fs::write(&file, "mine").unwrap();
        assert!(write(&file, &FILES).unwrap_err().to_string().contains("found a file"));
        let error = format!("{:#}", write(&place.path().join("no/such"), &FILES).unwrap_err());
        assert!(error.contains("cannot resolve") && error.contains("No such file"), "{error}");
        assert_eq!(names(place.path()), ["file", "site"]);
    }
}
