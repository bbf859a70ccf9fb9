//! The page of figures, in Markdown.

use std::fmt::Write;

use anyhow::{Context, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use kingline_players::figures::{Row, signature};

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
///
/// # Errors
/// Fails if a row's command cannot be typed in a shell, or its time is out of range.
pub(super) fn page(rows: &[Row]) -> Result<String> {
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
    use super::*;
    use kingline_players::figures::Topic;

    fn row(topic: Topic, figure: &str, machine: &str, target: Option<&str>, met: Option<bool>) -> Row {
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
            row(Topic::Search, "x", "slow", Some("3"), Some(true)),
            row(Topic::Search, "y", "slow", Some("3"), Some(false)),
            row(Topic::Referee, "z", "slow", Some("3"), None),
            row(Topic::Referee, "`w`", "fast", None, None),
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
        let current = row(Topic::Strength, "x", "m", None, None);
        assert_eq!(date(&current).unwrap(), "2025-11-20");
        let other = Row { signature: "checkers 1".to_owned(), ..current };
        assert_eq!(date(&other).unwrap(), "2025-11-20, with an earlier engine");
    }

    #[test]
    fn without_rows_there_is_only_the_head() {
        assert_eq!(page(&[]).unwrap(), HEAD);
        assert_eq!(code("a `b`"), "`` a `b` ``");
    }
}
