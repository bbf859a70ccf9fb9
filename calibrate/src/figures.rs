//! `calibrate figures`: the page of measured figures, from the file with their rows.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kingline::game::LineError;
use kingline_players::figures::{Row, signature};
use kingline_players::files::read_text;
use kingline_players::help::GuidePage;
use kingline_players::terminal::{is_deceptive, stdout_line};

use crate::options::help_end;

/// Prints the page of recorded figures, in Markdown.
///
/// `bench`, `depth`, `tables`, `solve`, `match` and `judge` record figures with --figures, and so do
/// `master` commands. If a figure was measured several times, the last row counts.
#[derive(clap::Args)]
#[command(after_help = help_end(GuidePage::Figures))]
pub(crate) struct FiguresArguments {
    /// File with the rows that `--figures FILE` writes, one JSON object per line.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints the page in Markdown.
///
/// # Errors
/// Fails if the file cannot be read. A [`LineError`](kingline::game::LineError) names the line and what is wrong with
/// it.
pub(crate) fn run(arguments: &FiguresArguments) -> Result<()> {
    stdout_line(page(&read(&arguments.file)?)?.trim_end())
}

/// Reads the last row of each figure and command, sorted by topic and, within a topic, in the order of the first rows.
///
/// # Errors
/// Fails if the file cannot be read, or with a [`LineError`] that names the line and what is wrong with it.
fn read(path: &Path) -> Result<Vec<Row>> {
    let text = read_text(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> Result<Vec<Row>, LineError> {
    let mut rows: Vec<Row> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let row = row(text).map_err(|expected| LineError::new(line, text, expected))?;
        let same = |before: &&mut Row| before.figure == row.figure && before.command == row.command;
        match rows.iter_mut().find(same) {
            Some(before) => *before = row,
            None => rows.push(row),
        }
    }
    rows.sort_by_key(|row| row.topic);
    Ok(rows)
}

/// Parses a row. The error says what was expected.
fn row(text: &str) -> Result<Row, String> {
    // serde_json counts the lines of this one-line text, so its line number is always 1.
    let row: Row = serde_json::from_str(text).map_err(|error| {
        format!("a row of figures ({})", error.to_string().replace(" at line 1 column ", " at column "))
    })?;
    let fields = [&row.figure, &row.measured, &row.machine, &row.version, &row.signature]
        .into_iter()
        .chain(&row.target)
        .chain(&row.command);
    let is_unprintable = fields.into_iter().any(|text| text.contains(is_deceptive));
    if is_unprintable || row.figure.trim().is_empty() || row.command.is_empty() {
        return Err("a row of figures: one line of printable text in each field".to_owned());
    }
    if row.met.is_some() && row.target.is_none() {
        return Err("a row of figures: `target` beside `met`".to_owned());
    }
    Ok(row)
}

/// Text above the tables. The first line is the page's summary.
const HEAD: &str = "\
Figures of the programs, each with the command that measures it.

With `--figures src/players/guide/figures.jsonl`, a command appends its measurements to that file. So do the tests that take
measurements, if the environment variable `KINGLINE_FIGURES` names the file. This page is generated from its rows:

```sh
target/release/calibrate figures src/players/guide/figures.jsonl > src/players/guide/figures.md
```

A row keeps the version and the node signature of the engine that was measured. If the signature has changed since, the
date says so.
";

/// Returns the page, with a section for each topic. The rows must be sorted by topic.
fn page(rows: &[Row]) -> Result<String> {
    let mut page = HEAD.to_owned();
    for rows in rows.chunk_by(|a, b| a.topic == b.topic) {
        section(&mut page, rows)?;
    }
    Ok(page)
}

/// Appends a section. It has a column for the machine only if the rows' machines differ.
fn section(page: &mut String, rows: &[Row]) -> Result<()> {
    let topic = serde_json::to_value(rows[0].topic)?;
    writeln!(page, "\n# {}\n", topic.as_str().unwrap_or_default())?;
    let one_machine = rows.iter().all(|row| row.machine == rows[0].machine);
    if one_machine {
        writeln!(page, "Machine: {}.\n", rows[0].machine)?;
    }
    let column = |text: &str| if one_machine { String::new() } else { format!(" {text} |") };
    writeln!(page, "| figure | measured | target | command | date |{}", column("machine"))?;
    writeln!(page, "| --- | --- | --- | --- | --- |{}", column("---"))?;
    for row in rows {
        let [figure, measured, machine] = [&row.figure, &row.measured, &row.machine].map(|text| cell(text));
        let command = shlex::try_join(row.command.iter().map(String::as_str)).context("a command with a NUL")?;
        let (target, command, date) = (target(row), cell(&code(&command)), date(row)?);
        writeln!(page, "| {figure} | {measured} | {target} | {command} | {date} |{}", column(&machine))?;
    }
    Ok(())
}

/// Returns the date, and whether another engine was measured.
fn date(row: &Row) -> Result<String> {
    let time = Timestamp::from_second(row.time.try_into()?)?;
    let date = time.to_zoned(TimeZone::UTC).date();
    Ok(if row.signature == signature() { date.to_string() } else { format!("{date}, with an earlier engine") })
}

/// Returns the target, and whether it is met.
fn target(row: &Row) -> String {
    let target = row.target.as_deref().map(cell).unwrap_or_default();
    match row.met {
        Some(true) => format!("{target} (met)"),
        Some(false) => format!("{target} (**not**)"),
        None => target,
    }
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', r"\|")
}

/// Formats text as code, whatever backticks it contains.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use kingline_players::figures::Topic;

    use super::*;

    fn made(topic: Topic, figure: &str, machine: &str, target: Option<&str>, met: Option<bool>) -> Row {
        Row {
            topic,
            figure: figure.to_owned(),
            measured: "2 | 3".to_owned(),
            target: target.map(str::to_owned),
            met,
            command: vec!["a".to_owned(), "b c".to_owned()],
            machine: machine.to_owned(),
            time: 1_763_640_000,
            version: "0.1.0".to_owned(),
            signature: signature(),
        }
    }

    #[test]
    fn a_section_names_its_machine_once_unless_rows_differ() {
        let rows = [
            made(Topic::Search, "x", "slow", Some("3"), Some(true)),
            made(Topic::Search, "y", "slow", Some("3"), Some(false)),
            made(Topic::Referee, "z", "slow", Some("3"), None),
            made(Topic::Referee, "`w`", "fast", None, None),
        ];
        let expected = r"
# Search

Machine: slow.

| figure | measured | target | command | date |
| --- | --- | --- | --- | --- |
| x | 2 \| 3 | 3 (met) | `a 'b c'` | 2025-11-20 |
| y | 2 \| 3 | 3 (**not**) | `a 'b c'` | 2025-11-20 |

# The referee

| figure | measured | target | command | date | machine |
| --- | --- | --- | --- | --- | --- |
| z | 2 \| 3 | 3 | `a 'b c'` | 2025-11-20 | slow |
| `w` | 2 \| 3 |  | `a 'b c'` | 2025-11-20 | fast |
";
        assert_eq!(page(&rows).unwrap(), format!("{HEAD}{expected}"));
    }

    #[test]
    fn a_figure_says_if_another_engine_was_measured() {
        let current = made(Topic::Strength, "x", "m", None, None);
        assert_eq!(date(&current).unwrap(), "2025-11-20");
        let other = Row { signature: "checkers 1".to_owned(), ..current };
        assert_eq!(date(&other).unwrap(), "2025-11-20, with an earlier engine");
    }

    #[test]
    fn without_rows_there_is_only_the_head() {
        assert_eq!(page(&[]).unwrap(), HEAD);
        assert_eq!(code("a `b`"), "`` a `b` ``");
    }

    const TEXT: &str = concat!(
        r#"{"topic":"The referee","figure":"a launch","measured":"2 ms","command":["c"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
        r#"{"topic":"Search","figure":"perft","measured":"95 M","target":"60 M","met":true,"command":["a"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
        r#"{"topic":"Search","figure":"perft","measured":"9 M","command":["b"],"machine":"m","time":1,"version":"1","signature":"s"}"#,
        "\n",
    );

    #[test]
    fn the_last_row_of_a_figure_stands_where_the_first_stood() {
        let again = TEXT.lines().nth(1).unwrap().replace("95 M", "96 M");
        let rows = parse(&format!("{TEXT}{again}\n")).unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (row.measured.as_str(), row.command[0].as_str())).collect();
        assert_eq!(shown, [("96 M", "a"), ("9 M", "b"), ("2 ms", "c")]);
    }

    #[test]
    fn a_damaged_line_is_named_with_what_was_expected() {
        for (text, expected) in [
            (TEXT.replacen("\"met\"", "\"mat\"", 1), "unknown field `mat`, expected one of `topic`, `figure`, "),
            (TEXT.replacen(",\"machine\":\"m\"", "", 1), "line 1: found "),
            (TEXT.replacen(",\"machine\":\"m\"", "", 1), "a row of figures (missing field `machine`"),
            (TEXT.replace("The referee", "Referees"), "unknown variant `Referees`, expected one of `Search`, "),
            (TEXT.replace("2 ms", "2\\nms"), "expected a row of figures: one line of printable text in each field"),
            (TEXT.replace("[\"c\"]", "[]"), "expected a row of figures: one line of printable text in each field"),
            (TEXT.replace("\"target\":\"60 M\",", ""), "expected a row of figures: `target` beside `met`"),
            (format!("{TEXT}\n"), "line 4: found \"\", expected a row of figures (EOF while parsing"),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\n{expected}");
        }
    }
}
