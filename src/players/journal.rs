//! Journal of a long run: a file of JSON lines from which an interrupted run continues.
//!
//! The first line is the header, which identifies the run. Each further line is a row, written with a single call. A
//! killed run leaves at most one incomplete line, at the end.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::exit::BadInput;
use crate::files::lock;
use crate::terminal::{escaped, stderr_line};

/// Kind of run, in messages.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Its name: `match`.
    pub name: &'static str,
    /// Advice in the error if the journal belongs to another run.
    pub help: &'static str,
}

/// Journal that rows are added to, locked against other runs.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Number of bytes in complete lines.
    length: u64,
}

/// Place of a row's line in its journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowPlace {
    offset: u64,
    length: usize,
}

impl Journal {
    /// Opens a new journal with this header, or continues one with the same header. Returns its rows.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, is in use by another run, belongs to another run, or is damaged
    /// before its last line.
    pub fn open<R: DeserializeOwned>(path: &Path, run: Run, header: &impl Serialize) -> Result<(Journal, Vec<R>)> {
        let mut rows = Vec::new();
        let same = |found: Option<&Value>| run.same(found, serde_json::to_value(header)?);
        let journal = Journal::open_with(path, run, same, |row, _| {
            rows.push(row);
            Ok(())
        })?;
        Ok((journal, rows))
    }

    /// Opens a journal like [`open`](Self::open), for runs that decide themselves which headers they continue, or
    /// whose rows do not fit in memory.
    ///
    /// `header` gets the header of the file, if there is one, and returns the one that is written if there is none.
    /// `row` gets each row with its place; what it returns as an error is reported with the number of the line.
    ///
    /// # Errors
    /// See [`open`](Self::open); and errors of `header`.
    pub fn open_with<R: DeserializeOwned>(
        path: &Path,
        run: Run,
        header: impl FnOnce(Option<&Value>) -> Result<Value>,
        mut row: impl FnMut(R, RowPlace) -> Result<()>,
    ) -> Result<Journal> {
        let shown = path.display();
        let (cannot_write, cannot_read) = (|| format!("cannot write {shown}"), || format!("cannot read {shown}"));
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.with_context(cannot_write)?;
        if !lock(&file).with_context(cannot_write)? {
            bail!("{shown} is in use by another run");
        }
        let mut lines = BufReader::new(file.try_clone().with_context(cannot_read)?);
        let mut line = Vec::new();
        let not_ours = || {
            let Run { name, help } = run;
            BadInput::new(format!("{shown}: expected the journal of a {name}, found something else; help: {help}"))
        };
        let mut length = lines.read_until(b'\n', &mut line).with_context(cannot_read)? as u64;
        if line.last() != Some(&b'\n') {
            // The file is new, or its run was killed before the header was complete.
            let wanted = serde_json::to_string(&header(None)?)? + "\n";
            if !wanted.as_bytes().starts_with(&line) {
                return Err(not_ours().into());
            }
            let mut journal = Journal { path: path.to_owned(), file, length: 0 };
            journal.append(wanted.as_bytes())?;
            return Ok(journal);
        }
        let found: Value = serde_json::from_slice(&line).with_context(not_ours)?;
        found.as_object().with_context(not_ours)?;
        header(Some(&found)).with_context(|| BadInput::new(format!("{shown} belongs to another {}", run.name)))?;
        for number in 2.. {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).with_context(cannot_read)?;
            if line.last() != Some(&b'\n') {
                if !line.is_empty() {
                    stderr_line(format_args!("note: {shown}: the incomplete last line is left out"));
                }
                break;
            }
            let place = RowPlace { offset: length, length: read };
            let added = serde_json::from_slice(&line).map_err(Into::into).and_then(|found| row(found, place));
            let help = run.help;
            added.map_err(|error| {
                BadInput::new(format!("{shown}, line {number}: it is damaged: {error:#}; help: {help}"))
            })?;
            length += read as u64;
        }
        file.set_len(length).with_context(cannot_write)?;
        file.seek(SeekFrom::End(0)).with_context(cannot_write)?;
        Ok(Journal { path: path.to_owned(), file, length })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Fails if the file cannot be written. The row is then not in it.
    pub fn add(&mut self, row: &impl Serialize) -> Result<RowPlace> {
        let offset = self.length;
        self.append((serde_json::to_string(row)? + "\n").as_bytes())?;
        Ok(RowPlace { offset, length: (self.length - offset) as usize })
    }

    /// Waits until all rows are on the disk, so that they survive a power failure.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn sync(&mut self) -> Result<()> {
        self.file.sync_data().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Reads a row again.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or was changed.
    pub fn row<R: DeserializeOwned>(&self, RowPlace { offset, length }: RowPlace) -> Result<R> {
        let mut line = vec![0; length];
        let mut read = |mut file: &File| file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut line));
        read(&self.file).with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(serde_json::from_slice(&line)?)
    }

    fn append(&mut self, line: &[u8]) -> Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(line));
        if let Err(error) = written {
            // The next run removes anything that cannot be removed now.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| format!("cannot write {}; earlier rows are safe", self.path.display()));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

impl Run {
    /// Returns the header that is wanted, if the file is new or has the same.
    ///
    /// # Errors
    /// It has another one; the error names a difference.
    pub fn same(self, found: Option<&Value>, wanted: Value) -> Result<Value> {
        if let Some(first) = found.and_then(|found| Difference::all(found, &wanted).into_iter().next()) {
            let Difference { name, found, wanted } = first;
            bail!("its {name} is {found}, expected {wanted}; help: {}", self.help);
        }
        Ok(wanted)
    }
}

/// A value that differs between two JSON objects, as text that is safe to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the value: `clock.turn`.
    pub name: String,
    /// Value in the first object: JSON, or `nothing`.
    pub found: String,
    /// Value in the second object.
    pub wanted: String,
}

impl Difference {
    /// Lists the values that differ, in the order of the objects; an object inside the other is compared value by
    /// value, a list as a whole.
    pub fn all(found: &Value, wanted: &Value) -> Vec<Difference> {
        let mut all = Vec::new();
        differences("", Some(found), Some(wanted), &mut all);
        all
    }
}

fn differences(name: &str, found: Option<&Value>, wanted: Option<&Value>, all: &mut Vec<Difference>) {
    let nothing = serde_json::Map::new();
    match [found, wanted].map(|value| value.map(Value::as_object)) {
        [Some(Some(_)), Some(Some(_)) | None] | [None, Some(Some(_))] => {
            let [found, wanted] = [found, wanted].map(|value| value.and_then(Value::as_object).unwrap_or(&nothing));
            for key in wanted.keys().chain(found.keys().filter(|key| !wanted.contains_key(*key))) {
                let path = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                differences(&path, found.get(key), wanted.get(key), all);
            }
        }
        _ if found == wanted => {}
        _ => {
            let [found, wanted] =
                [found, wanted].map(|value| value.map_or("nothing".to_owned(), |value| escaped(&value.to_string())));
            all.push(Difference { name: escaped(name), found, wanted });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn header(seed: u64) -> Value {
        json!({ "journal": "test", "seed": seed })
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
            let error = open(&path, 1).expect_err("an error");
            assert!(error.is::<BadInput>() && format!("{error:#}").contains(message), "{error:#}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
        }
    }

    #[test]
    fn rows_are_read_again_from_their_places() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let mut written = Vec::new();
        for number in 0..3u64 {
            let mut places = Vec::new();
            let mut journal = Journal::open_with(
                &path,
                Run { name: "test", help: "none" },
                |_| Ok(header(1)),
                |row: [u64; 2], place| {
                    places.push((row, place));
                    Ok(())
                },
            )
            .expect("a journal");
            assert_eq!(places, written);
            let row = [number, 100 * number];
            written.push((row, journal.add(&row).expect("a row")));
            for (row, place) in &written {
                assert_eq!(journal.row::<[u64; 2]>(*place).expect("a row"), *row);
            }
        }
    }

    #[test]
    fn differences_are_named_by_their_paths() {
        let found = json!({ "a": 1, "b": { "c": null, "d": [1, 2] }, "gone": "x\u{9b}" });
        let wanted = json!({ "a": 1, "b": { "c": 2.5, "d": [1, 3] }, "e": { "f": true } });
        let all = Difference::all(&found, &wanted);
        let words: Vec<_> = all.iter().map(|Difference { name, found, wanted }| [&**name, found, wanted]).collect();
        assert_eq!(
            words,
            [
                ["b.c", "null", "2.5"],
                ["b.d", "[1,2]", "[1,3]"],
                ["e.f", "nothing", "true"],
                ["gone", "\"x\\u{9b}\"", "nothing"]
            ]
        );
        assert_eq!(Difference::all(&found, &found), []);
    }

    #[test]
    fn two_runs_do_not_share_a_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let first = open(&path, 1).expect("a journal");
        assert!(open(&path, 1).expect_err("an error").to_string().contains("in use by another run"));
        drop(first);
        open(&path, 1).expect("a free journal");
    }
}
