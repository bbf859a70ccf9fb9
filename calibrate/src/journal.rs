//! Journal of a long run: a file of JSON lines from which an interrupted run continues.
//!
//! The first line is the header, which identifies the run. Each further line is a row, written with a single call. A
//! killed run leaves at most one incomplete line, at the end.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kingline_players::terminal::escaped;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::bad_input::BadInput;

/// Kind of run, in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Its name: `match`.
    pub(crate) name: &'static str,
    /// Advice in the error if the journal belongs to another run.
    pub(crate) help: &'static str,
}

/// Journal that rows are added to, locked against other runs.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Number of bytes in complete lines.
    length: u64,
}

impl Journal {
    /// Opens a new journal with this header, or continues one with the same header. Returns its rows.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, is in use by another run, belongs to another run, or is damaged
    /// before its last line.
    pub(crate) fn open<R: DeserializeOwned>(
        path: &Path,
        run: Run,
        header: &Map<String, Value>,
    ) -> Result<(Journal, Vec<R>)> {
        let shown = path.display();
        let failed = || format!("cannot write {shown}");
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{shown} is in use by another run"),
            Err(TryLockError::Error(error)) => return Err(error).with_context(failed),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {shown}"))?;
        let wanted = serde_json::to_string(header)? + "\n";
        let Some((first, rest)) = text.split_once('\n') else {
            // The file is new, or its run was killed before the header was complete.
            if !wanted.starts_with(&text) {
                return Err(BadInput::new(not_ours(path, run)).into());
            }
            let mut journal = Journal { path: path.to_owned(), file, length: 0 };
            journal.append(&wanted)?;
            return Ok((journal, Vec::new()));
        };
        let found: Map<String, Value> =
            serde_json::from_str(first).with_context(|| BadInput::new(not_ours(path, run)))?;
        if let Some(difference) = difference(&found, header) {
            let Run { name, help } = run;
            return Err(BadInput::new(format!("{shown} belongs to another {name}: {difference}; help: {help}")).into());
        }
        let whole = rest.rfind('\n').map_or(0, |last| last + 1);
        let rows = rest[..whole].lines().zip(2..).map(|(line, number)| {
            serde_json::from_str(line).with_context(|| BadInput::new(format!("{shown}, line {number}: it is damaged")))
        });
        let rows = rows.collect::<Result<_>>()?;
        let length = (first.len() + 1 + whole) as u64;
        file.set_len(length).with_context(failed)?;
        Ok((Journal { path: path.to_owned(), file, length }, rows))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Fails if the file cannot be written. The row is then not in it.
    pub(crate) fn add(&mut self, row: &impl Serialize) -> Result<()> {
        self.append(&(serde_json::to_string(row)? + "\n"))
    }

    fn append(&mut self, line: &str) -> Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(line.as_bytes()));
        if let Err(error) = written {
            // The next run removes anything that cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}", self.path.display()));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

fn not_ours(path: &Path, Run { name, help }: Run) -> String {
    format!("{}: expected the journal of a {name}, found something else; help: {help}", path.display())
}

/// Returns the first field in which the headers differ, with both values.
fn difference(found: &Map<String, Value>, wanted: &Map<String, Value>) -> Option<String> {
    let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), |value| escaped(&value.to_string()));
    let name = wanted.keys().chain(found.keys()).find(|name| found.get(*name) != wanted.get(*name))?;
    let (found, wanted) = (shown(found.get(name)), shown(wanted.get(name)));
    Some(format!("its {} is {found}, expected {wanted}", escaped(name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn header(seed: u64) -> Map<String, Value> {
        Map::from_iter([("journal".to_owned(), json!("test")), ("seed".to_owned(), json!(seed))])
    }

    fn open(path: &Path, seed: u64) -> Result<(Journal, Vec<[u64; 2]>)> {
        Journal::open(path, Run { name: "test", help: "name another" }, &header(seed))
    }

    #[test]
    fn rows_of_earlier_runs_are_kept_and_an_incomplete_last_line_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        for (killed, expected) in [("", 0), ("[1,", 1), ("", 2)] {
            let (mut journal, rows) = open(&path, 1).expect("a journal");
            assert_eq!(rows.len(), expected, "{rows:?}");
            journal.add(&[expected as u64, 7]).expect("a row");
            drop(journal);
            File::options()
                .append(true)
                .open(&path)
                .and_then(|mut file| file.write_all(killed.as_bytes()))
                .expect("text");
        }
        let text = std::fs::read_to_string(&path).expect("the journal");
        assert_eq!(text, "{\"journal\":\"test\",\"seed\":1}\n[0,7]\n[1,7]\n[2,7]\n");
    }

    #[test]
    fn other_and_damaged_files_are_refused_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        for (text, message) in [
            ("{\"journal\":\"test\",\"seed\":2}\n", "belongs to another test: its seed is 2, expected 1; help: "),
            ("{\"journal\":\"test\"}\n", "its seed is nothing, expected 1"),
            ("my only copy", "expected the journal of a test, found something else"),
            ("my only copy\n", "expected the journal of a test, found something else"),
            ("{\"journal\":\"test\",\"seed\":1}\n[1,2]\n[1]\n[2,2]\n", "line 3: it is damaged"),
        ] {
            std::fs::write(&path, text).expect("a file");
            let error = open(&path, 1).err().expect("an error");
            assert!(error.is::<BadInput>() && format!("{error:#}").contains(message), "{error:#}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
    }

    #[test]
    fn two_runs_do_not_share_a_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let first = open(&path, 1).expect("a journal");
        assert!(open(&path, 1).err().expect("an error").to_string().contains("in use by another run"));
        drop(first);
        open(&path, 1).expect("a free journal");
    }
}
