//! The folder of a site, replaced as a whole: the site is written under another name beside it, then renamed.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, renameat_with};
use rustix::io::Errno;

/// Entries at the top of a site. A folder that contains the first file, and only files from this list, counts as an
/// earlier report and may be replaced.
const ENTRIES: [&str; 6] = ["report.json", "index.html", "site.css", "site.js", "agents", "games"];
/// Entries that are folders of pages.
const PAGES: [&str; 2] = ["agents", "games"];

/// A site that is being written. Dropping it before [`SiteFolder::finish`] removes it.
pub(super) struct SiteFolder {
    target: PathBuf,
    partial: PathBuf,
    /// Lock on `partial`, so that no other process writes the same site meanwhile.
    _lock: File,
    files: u64,
    bytes: u64,
}

impl SiteFolder {
    /// Begins a site to be placed at `target`.
    ///
    /// # Errors
    /// There is something else at `target`, or its parent folder is not writable.
    pub(super) fn create(target: &Path) -> Result<SiteFolder> {
        let target = resolve(target)?;
        check(&target)?;
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let partial = target.with_file_name(format!(".{name}.partial"));
        let creating = format!("cannot create {}", partial.display());
        if let Err(error) = fs::create_dir(&partial) {
            // A run that was stopped may have left it.
            if error.kind() != io::ErrorKind::AlreadyExists || foreign(&partial).context(creating.clone())?.is_some() {
                return Err(error).context(creating);
            }
        }
        let lock = File::open(&partial).context(creating.clone())?;
        // Some file systems do not support locks; there, the report is written without one.
        if flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            bail!("{}: another report is being written here", target.display());
        }
        let folder = SiteFolder { target, partial, _lock: lock, files: 0, bytes: 0 };
        for entry in ENTRIES.map(|entry| folder.partial.join(entry)) {
            let removed = if entry.is_dir() { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) };
            removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })?;
        }
        for inner in PAGES {
            fs::create_dir(folder.partial.join(inner)).context(creating.clone())?;
        }
        Ok(folder)
    }

    /// Writes a file; `name` is its path from the top of the site.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(&mut self, name: &str, text: &str) -> Result<()> {
        let path = self.partial.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        self.files += 1;
        self.bytes += text.len() as u64;
        Ok(())
    }

    /// Moves the site to its target, atomically if the file system can; returns the number of files and bytes.
    ///
    /// # Errors
    /// The target cannot be replaced, or is no longer a report.
    pub(super) fn finish(self) -> Result<(u64, u64)> {
        let replacing = || format!("cannot replace {}", self.target.display());
        if self.target.exists() {
            check(&self.target)?;
            if renameat_with(CWD, &self.partial, CWD, &self.target, RenameFlags::EXCHANGE).is_ok() {
                return Ok((self.files, self.bytes));
            }
            fs::remove_dir_all(&self.target).with_context(replacing)?;
        }
        fs::rename(&self.partial, &self.target).with_context(replacing)?;
        Ok((self.files, self.bytes))
    }
}

impl Drop for SiteFolder {
    fn drop(&mut self) {
        // This is an unfinished site or, after the exchange, the one that was replaced.
        let _ = fs::remove_dir_all(&self.partial);
    }
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
    if !about.is_dir() {
        bail!("{}: found a file, {expected}", target.display());
    }
    if let Some(name) = foreign(target).with_context(|| format!("cannot read {}", target.display()))? {
        bail!("{}: found a folder with {name:?} in it, {expected}", target.display());
    }
    let empty = fs::read_dir(target)?.next().is_none();
    let (name, data) = (ENTRIES[0], target.join(ENTRIES[0]));
    if !empty && !data.is_file() {
        bail!("{}: found a folder without a {name}, {expected}", target.display());
    }
    if !empty && !is_ours(&data).with_context(|| format!("cannot read {}", data.display()))? {
        bail!("{}: found a folder whose {name} is not part of a report, {expected}", target.display());
    }
    Ok(())
}

/// Returns an entry of a folder that does not belong to a site, if there is one.
fn foreign(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !ENTRIES.contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    for inner in PAGES {
        // A run that was stopped may not have created them.
        let Ok(entries) = fs::read_dir(folder.join(inner)) else { continue };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(".html") || !entry.file_type()?.is_file() {
                return Ok(Some(format!("{inner}/{name}")));
            }
        }
    }
    Ok(None)
}

/// Returns true if this report.json belongs to a report.
fn is_ours(data: &Path) -> io::Result<bool> {
    let report: Result<serde_json::Value, _> = serde_json::from_reader(BufReader::new(File::open(data)?));
    Ok(report.is_ok_and(|report| report["generator"].as_str().is_some_and(|name| name.starts_with("kingline "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "{\"generator\":\"kingline 1\"}";

    fn write(target: &Path) -> Result<(u64, u64)> {
        let mut folder = SiteFolder::create(target)?;
        folder.write("report.json", REPORT)?;
        folder.write("games/1.html", "one")?;
        folder.finish()
    }

    fn names(folder: &Path) -> Vec<String> {
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
        fs::write(target.join("games/old.html"), "old").unwrap();
        write(&target).unwrap();
        assert_eq!(names(&target), ["agents", "games", "report.json"]);
        assert_eq!(names(&target.join("games")), ["1.html"]);
        assert_eq!(names(place.path()), ["site"], "nothing is left beside it");
        std::os::unix::fs::symlink("site", place.path().join("link")).unwrap();
        write(&place.path().join("link")).unwrap();
        assert!(place.path().join("link").is_symlink() && target.join("games").is_dir());
    }

    #[test]
    fn a_folder_that_is_not_a_report_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        fs::create_dir(&target).unwrap();
        write(&target).unwrap();
        for (name, expected) in [(".git", "\".git\" in it"), ("notes.txt", "\"notes.txt\" in it")] {
            fs::write(target.join(name), "mine").unwrap();
            let error = write(&target).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("expected a report of an earlier run"), "{error}");
            fs::remove_file(target.join(name)).unwrap();
        }
        fs::remove_file(target.join("report.json")).unwrap();
        assert!(write(&target).unwrap_err().to_string().contains("without a report.json"));
        let file = place.path().join("file");
        fs::write(&file, "mine").unwrap();
        assert!(write(&file).unwrap_err().to_string().contains("found a file"));
        let error = format!("{:#}", write(&place.path().join("no/such")).unwrap_err());
        assert!(error.contains("cannot resolve") && error.contains("No such file"), "{error}");
        assert_eq!(names(place.path()), ["file", "site"]);
        assert_eq!(names(&target.join("games")), ["1.html"]);
    }

    #[test]
    fn a_folder_whose_entries_only_look_like_a_report_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("class");
        let refused = |expected: &str| {
            let before = names(&target);
            let error = write(&target).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("expected a report of an earlier run"), "{error}");
            assert_eq!(names(&target), before);
        };
        // A folder of submissions, and the output of `master report --json`.
        fs::create_dir_all(target.join("agents/mine")).unwrap();
        fs::write(target.join("agents/mine/homework"), "mine").unwrap();
        fs::write(target.join("report.json"), "{\"agents\":2}").unwrap();
        refused("\"agents/mine\" in it");
        fs::remove_dir_all(target.join("agents")).unwrap();
        refused("a folder whose report.json is not part of a report");
        fs::remove_dir_all(&target).unwrap();
        write(&target).unwrap();
        for name in ["games/notes.txt", "agents/1.html.bak", "games/folder"] {
            if name == "games/folder" {
                fs::create_dir(target.join(name)).unwrap();
            } else {
                fs::write(target.join(name), "mine").unwrap();
            }
            refused(&format!("{name:?} in it"));
            let _ = fs::remove_file(target.join(name));
        }
        fs::remove_dir(target.join("games/folder")).unwrap();
        write(&target).unwrap();
    }

    #[test]
    fn leftovers_of_a_stopped_run_are_replaced_but_a_running_one_is_not() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("site");
        let first = SiteFolder::create(&target).unwrap();
        assert!(SiteFolder::create(&target).err().unwrap().to_string().contains("another report is being written"));
        fs::write(first.partial.join("games/old.html"), "old").unwrap();
        // As after SIGKILL: the folder is still there, but no longer locked.
        let kept = place.path().join("kept");
        fs::rename(&first.partial, &kept).unwrap();
        drop(first);
        fs::rename(&kept, place.path().join(".site.partial")).unwrap();
        write(&target).unwrap();
        assert_eq!(names(&target.join("games")), ["1.html"]);
        assert_eq!(names(place.path()), ["site"]);
    }
}
