//! How are figures shown?

use std::fmt::Write;

use super::row::{Row, Topic};
use super::rows::Rows;

/// What stands above the tables. The first line is the page's summary.
const HEAD: &str = "\
Figures of the programs, each with the command that measures it.

A command with `--figures src/guide/figures.jsonl` records there what it has measured, and tests that measure do so where
the environment variable `KINGLINE_FIGURES` names that file. This page is made of its rows:

```sh
target/release/calibrate figures src/guide/figures.jsonl > src/guide/figures.md
```
";

impl Rows {
    /// A page in Markdown: a section for each topic.
    pub fn page(&self) -> String {
        let mut page = HEAD.to_owned();
        for (topic, rows) in self.topics() {
            section(&mut page, topic, rows);
        }
        page
    }
}

/// The machine has a column of its own only where it differs from row to row.
fn section(page: &mut String, topic: Topic, rows: &[Row]) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "\n# {topic}\n");
    let one_machine = rows.iter().all(|row| row.machine == rows[0].machine);
    if one_machine {
        let _ = writeln!(page, "Machine: {}.\n", rows[0].machine);
    }
    let column = |text: &str| if one_machine { String::new() } else { format!(" {text} |") };
    let _ = writeln!(page, "| figure | measured | target | command | date |{}", column("machine"));
    let _ = writeln!(page, "| --- | --- | --- | --- | --- |{}", column("---"));
    for row in rows {
        let [figure, measured, machine] = [&row.figure, &row.measured, &row.machine].map(|text| cell(text));
        let (target, command) = (target(row), cell(&code(&row.command)));
        let machine = column(&machine);
        let _ = writeln!(page, "| {figure} | {measured} | {target} | {command} | {} |{machine}", row.date);
    }
}

/// The target, and whether it is met.
fn target(row: &Row) -> String {
    let target = row.target.as_deref().map(cell).unwrap_or_default();
    match row.met {
        Some(true) => format!("{target} (met)"),
        Some(false) => format!("{target} (**not**)"),
        None => target,
    }
}

/// Text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', r"\|")
}

/// Text as code, whatever backticks it has.
fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_its_machine_once_unless_rows_differ() {
        let row = |figure: &str, more: &str, machine: &str, topic: &str| {
            let fixed = "\"date\":\"2026-11-20\",\"measured\":\"2 | 3\",\"command\":\"a | b\"";
            format!("{{\"topic\":\"{topic}\",\"figure\":\"{figure}\",\"machine\":\"{machine}\",{fixed}{more}}}\n")
        };
        let rows = [
            row("x", ",\"target\":\"3\",\"met\":true", "slow", "Search"),
            row("y", ",\"target\":\"3\",\"met\":false", "slow", "Search"),
            row("z", ",\"target\":\"3\"", "slow", "The referee"),
            row("`w`", "", "fast", "The referee"),
        ];
        let page = Rows::parse(&rows.concat()).unwrap().page();
        let expected = r"
# Search

Machine: slow.

| figure | measured | target | command | date |
| --- | --- | --- | --- | --- |
| x | 2 \| 3 | 3 (met) | `a \| b` | 2026-11-20 |
| y | 2 \| 3 | 3 (**not**) | `a \| b` | 2026-11-20 |

# The referee

| figure | measured | target | command | date | machine |
| --- | --- | --- | --- | --- | --- |
| z | 2 \| 3 | 3 | `a \| b` | 2026-11-20 | slow |
| `w` | 2 \| 3 |  | `a \| b` | 2026-11-20 | fast |
";
        assert_eq!(page, format!("{HEAD}{expected}"));
    }

    #[test]
    fn without_rows_there_is_only_the_head() {
        assert_eq!(Rows::default().page(), HEAD);
        assert_eq!(code("a `b`"), "`` a `b` ``");
    }
}
