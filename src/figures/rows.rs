//! Which figures are there, and how are they kept in a file?

use std::fmt;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

use super::row::{Row, Topic};
use crate::files::{read_text, write_whole};
use crate::game::LineError;

/// All figures, in the order of the page: a JSON object a line, the rows of a topic together, each figure of a command
/// once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows(Vec<Row>);

impl Rows {
    /// The rows of a text.
    ///
    /// # Errors
    /// The line, what was found there and what was expected.
    pub fn parse(text: &str) -> Result<Rows, LineError> {
        let mut rows: Vec<Row> = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let row: Row = serde_json::from_str(text).map_err(|error| {
                // Its line is always the first one of this text.
                let error = error.to_string().replace(" at line 1 column ", " at column ");
                LineError::new(line, text, format!("a row of figures: {error}"))
            })?;
            row.check().map_err(|error| LineError { line, error })?;
            if let Some(before) = rows.iter().position(|before| before.is_same_figure(&row)) {
                let found = format!("the command and figure of line {} again", before + 1);
                return Err(LineError::missing(line, &found, "each once"));
            }
            let is_apart = rows.last().is_some_and(|last| last.topic != row.topic);
            if is_apart && rows.iter().any(|before| before.topic == row.topic) {
                let found = format!("the topic \"{}\" again after another", row.topic);
                return Err(LineError::missing(line, &found, "the rows of a topic together"));
            }
            rows.push(row);
        }
        Ok(Rows(rows))
    }

    /// The rows of a file.
    ///
    /// # Errors
    /// The file cannot be read, or a [`LineError`] says what is wrong in it.
    pub fn read(path: &Path) -> Result<Rows> {
        let text = read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
        Rows::parse(&text).with_context(|| path.display().to_string())
    }

    /// The rows of a file, or none if there is no such file yet.
    ///
    /// # Errors
    /// As [`Rows::read`].
    pub fn read_or_new(path: &Path) -> Result<Rows> {
        match path.metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Rows::default()),
            _ => Rows::read(path),
        }
    }

    /// Adds rows to a file, which need not be there yet, whole or not at all. Several programs may do so at once.
    ///
    /// # Errors
    /// As [`Rows::read`], or a row has text that it could not be read back from, or the file cannot be written; it is then
    /// as it was before.
    pub fn record_in(path: &Path, new: impl IntoIterator<Item = Row>) -> Result<()> {
        let _others_wait = locked_folder(path);
        let mut rows = Rows::read_or_new(path)?;
        for row in new {
            row.check().with_context(|| format!("cannot record a figure in {}", path.display()))?;
            rows.record(row);
        }
        write_whole(path, rows.to_string().as_bytes())
    }

    /// Adds a row. One of the same figure and command is replaced in its place, and the topic that it stands under is
    /// kept; a new one comes last in its topic.
    pub fn record(&mut self, row: Row) {
        if let Some(before) = self.0.iter_mut().find(|before| before.is_same_figure(&row)) {
            *before = Row { topic: before.topic, ..row };
            return;
        }
        let last = self.0.iter().rposition(|before| before.topic == row.topic);
        self.0.insert(last.map_or(self.0.len(), |last| last + 1), row);
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.0.iter()
    }

    /// The rows of each topic.
    pub(super) fn topics(&self) -> impl Iterator<Item = (Topic, &[Row])> {
        self.0.chunk_by(|a, b| a.topic == b.topic).map(|rows| (rows[0].topic, rows))
    }
}

/// The folder of a file, locked until it is dropped; none on systems where folders cannot be opened. The file itself does
/// not do, since each writer puts a new one in its place.
fn locked_folder(path: &Path) -> Option<File> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

impl fmt::Display for Rows {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|row| writeln!(f, "{}", serde_json::to_string(row).map_err(|_| fmt::Error)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Figure;
    use super::*;

    const TEXT: &str = concat!(
        r#"{"topic":"Search","figure":"perft","measured":"95 M","target":"60 M","met":true,"command":"a","machine":"m","date":"2026-11-20"}"#,
        "\n",
        r#"{"topic":"Search","figure":"perft","measured":"9 M","command":"b","machine":"m","date":"2026-11-20"}"#,
        "\n",
        r#"{"topic":"The referee","figure":"a launch","measured":"2 ms","command":"c","machine":"m","date":"2026-11-21"}"#,
        "\n",
    );

    fn figures(rows: &Rows) -> Vec<String> {
        rows.iter().map(|row| format!("{}: {} {}", row.topic, row.figure, row.measured)).collect()
    }

    #[test]
    fn text_is_read_and_written_back() {
        assert_eq!(Rows::parse(TEXT).unwrap().to_string(), TEXT);
        assert_eq!(Rows::parse("").unwrap(), Rows::default());
    }

    #[test]
    fn a_figure_measured_again_is_replaced_where_it_stands() {
        let mut rows = Rows::parse(TEXT).unwrap();
        rows.record(Row::here(Topic::Budgets, Figure::new("perft", "8 M"), "b"));
        assert_eq!(figures(&rows), ["Search: perft 95 M", "Search: perft 8 M", "The referee: a launch 2 ms"]);
        rows.record(Row::here(Topic::Search, Figure::new("perft", "96 M"), "a"));
        let first = rows.iter().next().unwrap();
        assert_eq!((first.measured.as_str(), &first.target, first.met), ("96 M", &None, None));
        assert_ne!(first.date.to_string(), "2026-11-20");
    }

    #[test]
    fn a_new_figure_comes_last_in_its_topic_and_a_new_topic_last() {
        let mut rows = Rows::parse(TEXT).unwrap();
        rows.record(Row::here(Topic::Search, Figure::new("speed", "4 M").against("5 M", false), "a"));
        rows.record(Row::here(Topic::Budgets, Figure::new("memory", "4 MiB"), "a"));
        let expected = [
            "Search: perft 95 M",
            "Search: perft 9 M",
            "Search: speed 4 M",
            "The referee: a launch 2 ms",
            "Budgets: memory 4 MiB",
        ];
        assert_eq!(figures(&rows), expected);
        assert_eq!(rows.iter().nth(2).unwrap().met, Some(false));
        assert_eq!(Rows::parse(&rows.to_string()).unwrap(), rows, "what was recorded is read back");
    }

    #[test]
    fn a_damaged_line_is_named_with_what_was_expected() {
        let first = TEXT.lines().next().unwrap();
        let again = format!("{first}\n{first}");
        let apart = format!("{TEXT}{}", TEXT.replace("\"perft\"", "\"speed\"").lines().next().unwrap());
        for (text, expected) in [
            (TEXT.replacen("\"met\"", "\"mat\"", 1).as_str(), "line 1: found \"{\\\"topic\\\":\\\"Search\\\""),
            (&TEXT.replacen("\"met\"", "\"mat\"", 1), "unknown field `mat`, expected one of `topic`, `figure`, "),
            (
                &TEXT.replace(",\"machine\":\"m\",\"date\":\"2026-11-21\"", ""),
                "a row of figures: missing field `machine`",
            ),
            (&TEXT.replace("The referee", "Referees"), "unknown variant `Referees`, expected one of `Search`, "),
            (
                &TEXT.replace("2026-11-21", "2026-11-31"),
                "found \"2026-11-31\", expected a date like 2026-11-23 at column ",
            ),
            (&TEXT.replace("\"2 ms\"", "2"), "line 3: found "),
            (&TEXT.replace("2 ms", "2\\nms"), "line 3: found \"2\\nms\", expected text of one line in each field"),
            (&TEXT.replace("\"target\":\"60 M\",", ""), "line 1: found `met` without `target`, expected `target` too"),
            (&format!("{TEXT}\n"), "line 4: found \"\", expected a row of figures: EOF while parsing"),
            (&again, "line 2: found the command and figure of line 1 again, expected each once"),
            (&apart, "line 4: found the topic \"Search\" again after another, expected the rows of a topic together"),
        ] {
            let error = Rows::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\n{expected}");
        }
    }

    #[test]
    fn no_row_is_lost_where_many_record_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("figures.jsonl");
        let record = |figure: u32| {
            Rows::record_in(&path, [Row::here(Topic::Search, Figure::new(figure.to_string(), "1"), "a")]).unwrap();
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || (0..25).for_each(|figure| record(4 * figure + thread)));
            }
        });
        assert_eq!(Rows::read(&path).unwrap().iter().count(), 100);
    }

    #[test]
    fn a_file_of_something_else_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("figures.jsonl");
        let row = || Row::here(Topic::Search, Figure::new("perft", "9 M"), "a");
        Rows::record_in(&path, [row()]).unwrap();
        Rows::record_in(&path, [row()]).unwrap();
        assert_eq!(Rows::read(&path).unwrap().iter().count(), 1);
        let error =
            Rows::record_in(&path, [Row::here(Topic::Search, Figure::new("two\nlines", "9 M"), "a")]).unwrap_err();
        assert!(
            format!("{error:#}").ends_with("found \"two\\nlines\", expected text of one line in each field"),
            "{error:#}"
        );
        assert_eq!(Rows::read(&path).unwrap().iter().count(), 1);
        std::fs::write(&path, "mine\n").unwrap();
        let error = format!("{:#}", Rows::record_in(&path, [row()]).unwrap_err());
        assert!(error.contains("figures.jsonl: line 1: found \"mine\""), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine\n");
    }
}
