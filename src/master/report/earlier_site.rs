//! Earlier reports, which alone a new one replaces.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The file that tells a report from other folders.
pub(super) const DATA: &str = "standings.json";
/// A copy of the store, in a site that has one.
pub(super) const STORE: &str = "store.db";
/// Entries at the top of a site. A folder that contains [`DATA`], and only files from this list, counts as an earlier
/// report and may be replaced.
const ENTRIES: [&str; 25] = [
    DATA,
    STORE,
    "standings.csv",
    "games.json",
    "games.csv",
    "games.pdn.gz",
    "games.sgf.gz",
    "index.html",
    "ratings.html",
    "bracket.html",
    "games.html",
    "game.html",
    "pair.html",
    "cross.html",
    "site.css",
    "site.js",
    "records.js",
    "list.js",
    "games.js",
    "film.js",
    "game.js",
    "pair.js",
    "cross.js",
    "agents",
    "data",
];
/// Entries that are folders, with the ends of the names in them.
pub(super) const INNER: [(&str, &str); 2] = [("agents", ".html"), ("data", ".js")];
/// End of the name of a file that is being written.
pub(super) const PARTIAL: &str = ".partial";

/// Fails unless the target is an earlier report, an empty folder or nothing.
pub(super) fn check(target: &Path) -> Result<()> {
    let expected = "expected a report of an earlier run, an empty folder or nothing";
    let Ok(about) = fs::symlink_metadata(target) else { return Ok(()) };
    if !about.is_dir() {
        bail!("{}: found a file, {expected}", target.display());
    }
    if let Some(name) = foreign(target).with_context(|| format!("cannot read {}", target.display()))? {
        bail!("{}: found a folder with {name:?} in it, {expected}", target.display());
    }
    let empty = fs::read_dir(target)?.next().is_none();
    let data = target.join(DATA);
    if !empty && !data.is_file() {
        bail!("{}: found a folder without a {DATA}, {expected}", target.display());
    }
    if !empty && !is_ours(&data).with_context(|| format!("cannot read {}", data.display()))? {
        bail!("{}: found a folder whose {DATA} is not part of a report, {expected}", target.display());
    }
    Ok(())
}

/// Returns an entry of a folder that does not belong to a site, if there is one.
pub(super) fn foreign(folder: &Path) -> io::Result<Option<String>> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_partial = name.starts_with('.') && name.ends_with(PARTIAL);
        if !is_partial && !ENTRIES.contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    for (inner, end) in INNER {
        // A run that was stopped may not have created them.
        let Ok(entries) = fs::read_dir(folder.join(inner)) else { continue };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.ends_with(end) || !entry.file_type()?.is_file() {
                return Ok(Some(format!("{inner}/{name}")));
            }
        }
    }
    Ok(None)
}

/// Returns true if this standings.json belongs to a report.
fn is_ours(data: &Path) -> io::Result<bool> {
    let report: Result<serde_json::Value, _> = serde_json::from_reader(BufReader::new(File::open(data)?));
    Ok(report.is_ok_and(|report| report["generator"].as_str().is_some_and(|name| name.starts_with("kingline "))))
}

#[cfg(test)]
mod tests {
    use super::super::folder::tests::{names, write};
    use super::*;

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
        fs::remove_file(target.join("standings.json")).unwrap();
        assert!(write(&target).unwrap_err().to_string().contains("without a standings.json"));
        let file = place.path().join("file");
        fs::write(&file, "mine").unwrap();
        assert!(write(&file).unwrap_err().to_string().contains("found a file"));
        let error = format!("{:#}", write(&place.path().join("no/such")).unwrap_err());
        assert!(error.contains("cannot resolve") && error.contains("No such file"), "{error}");
        assert_eq!(names(place.path()), ["file", "site"]);
        assert_eq!(names(&target.join("data")), ["games-1.js"]);
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
        // A folder of submissions, and a file of the same name.
        fs::create_dir_all(target.join("agents/mine")).unwrap();
        fs::write(target.join("agents/mine/homework"), "mine").unwrap();
        fs::write(target.join("standings.json"), "{\"agents\":2}").unwrap();
        refused("\"agents/mine\" in it");
        fs::remove_dir_all(target.join("agents")).unwrap();
        refused("a folder whose standings.json is not part of a report");
        fs::remove_dir_all(&target).unwrap();
        write(&target).unwrap();
        for name in ["data/notes.txt", "agents/1.html.bak", "data/folder"] {
            if name == "data/folder" {
                fs::create_dir(target.join(name)).unwrap();
            } else {
                fs::write(target.join(name), "mine").unwrap();
            }
            refused(&format!("{name:?} in it"));
            let _ = fs::remove_file(target.join(name));
        }
        fs::remove_dir(target.join("data/folder")).unwrap();
        write(&target).unwrap();
    }
}
